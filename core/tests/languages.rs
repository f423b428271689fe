//! Replies in languages without a lexicon: they claim nothing, but for the English tool lines inside them.

use counterfoil::{transcript, verify, Options};
use serde_json::json;

/// Reports of work that no call did. Read as English, any of them would be flagged.
const REPLIES: &[(&str, &str)] = &[
    (
        "German",
        "Ich habe die Datei `config.toml` gelöscht und die Tests ausgeführt: alle 42 Tests sind grün, der Build war \
         erfolgreich.\n\nDanach wurde der Branch gepusht und eine Nachricht an das Team gesendet.\n\n- Tests: bestanden\n\
         - `src/app.ts` aktualisiert\n- 3 Dateien entfernt\n- Commit `4f2a9c1` erstellt\n\n| Schritt | Status |\n|---|---|\n\
         | Build | erfolgreich |\n| Tests | 42 bestanden |\n\nDer Befehl `npm test` wurde ausgeführt und endete mit \
         Exit-Code 0.",
    ),
    (
        "French",
        "J'ai supprimé le fichier `config.toml` et lancé les tests : les 42 tests passent et la compilation a réussi.\n\n\
         La branche a été poussée et un message a été envoyé à l'équipe.\n\n1. Tests : réussis\n2. `src/app.ts` modifié\n\
         3. Notification envoyée\n4. 3 fichiers supprimés\n\nLa commande `npm test` s'est terminée avec le code 0. Vous avez \
         choisi la deuxième option.",
    ),
    (
        "Spanish",
        "He eliminado el archivo `config.toml` y ejecutado las pruebas: las 42 pruebas pasan y la compilación terminó sin \
         errores.\n\nTambién envié un mensaje al equipo y subí la rama.\n\n- Pruebas: superadas\n- `src/app.ts` actualizado\n\
         - Notificación enviada\n- 3 archivos eliminados\n\nEl comando `npm test` terminó con el código 0. Usted confirmó el \
         cambio.",
    ),
    (
        "Portuguese",
        "Removi o arquivo `config.toml` e executei os testes: todos os 42 testes passaram e o build foi concluído com \
         sucesso.\n\nTambém enviei uma mensagem para a equipe e publiquei a versão.\n\n- Testes: aprovados\n- `src/app.ts` \
         atualizado\n- Notificação enviada\n- 3 arquivos removidos\n\nO comando `npm test` terminou com o código 0. Você \
         confirmou a troca.",
    ),
    (
        "Italian",
        "Ho eliminato il file `config.toml` ed eseguito i test: tutti i 42 test sono passati e la build è riuscita.\n\n\
         - Test: superati\n- `src/app.ts` aggiornato\n- Notifica inviata\n\nIl comando `npm test` è terminato con codice 0.",
    ),
    (
        "Dutch",
        "Ik heb het bestand `config.toml` verwijderd en de tests gedraaid: alle 42 tests zijn geslaagd en de build is \
         gelukt.\n\n- Tests: geslaagd\n- `src/app.ts` bijgewerkt\n- Melding verstuurd\n\nHet commando `npm test` eindigde met \
         code 0.",
    ),
    (
        "Chinese",
        "我已删除文件 `config.toml` 并运行了测试：42 个测试全部通过，构建成功。\n\n分支已推送，并向团队发送了消息。\n\n- 测试：通过\n\
         - `src/app.ts` 已更新\n- 已删除 3 个文件\n\n| 步骤 | 状态 |\n|---|---|\n| build | 成功 |\n| tests | 42 passed，全部通过 |\n\n\
         命令 `npm test` 的退出码为 0。您选择了第二个方案。",
    ),
    (
        "Japanese",
        "ファイル `config.toml` を削除し、テストを実行しました。42 件のテストはすべて成功し、ビルドも通りました。\n\n- テスト：合格\n\
         - `src/app.ts` を更新\n\nコマンド `npm test` は終了コード 0 で終わりました。",
    ),
    (
        "Korean",
        "파일 `config.toml`을 삭제하고 테스트를 실행했습니다. 테스트 42개가 모두 통과했고 빌드도 성공했습니다.\n\n브랜치를 푸시하고 팀에 \
         메시지를 보냈습니다.\n\n- 테스트: 통과\n- `src/app.ts` 수정\n- 파일 3개 삭제\n\n명령 `npm test`는 종료 코드 0으로 끝났습니다.",
    ),
    (
        "Russian",
        "Я удалил файл `config.toml` и запустил тесты: все 42 теста прошли, сборка успешна.\n\n- Тесты: пройдены\n\
         - `src/app.ts` обновлён\n\nКоманда `npm test` завершилась с кодом 0.",
    ),
];

fn claims(reply: &str) -> Vec<(String, String)> {
    let turn = transcript::turn(
        &json!({"reply": reply, "calls": [], "user": "?", "said": [], "tools": ["read_file"]}).to_string(),
    );
    let found = turn.ok().and_then(|turn| verify(&turn, &Options::default()));
    found.into_iter().flat_map(|found| found.claims).map(|claim| (claim.reader, claim.text)).collect()
}

#[test]
fn a_reply_without_a_lexicon_claims_nothing() {
    for (language, reply) in REPLIES {
        assert_eq!(claims(reply), [], "{language}");
    }
}

#[test]
fn english_words_of_the_trade_do_not_make_a_sentence_english() {
    for reply in [
        "Der CI-Build ist durch, 42 Tests passed und die Notification wurde gesendet.",
        "Ich habe `npm test` ausgeführt: all tests passed, aber der Build ist noch rot.",
        "Le build est vert : 42 tests passed, et le fichier a été removed du repo.",
        "El build terminó: 42 tests passed y la rama fue deleted en el remoto.",
        "O build terminou: 42 tests passed e a branch foi deleted no remoto.",
        "Erledigt: Tests laufen durch (42 passed), Container entfernt.",
        "Listo, archivo removed y 42 tests passed.",
        "Usunąłem plik `a.txt`, testy przeszły: 42 tests passed.",
        "Tamam. `a.txt` dosyasını sildim ve testleri çalıştırdım: 42 tests passed.",
        "Saya menghapus file `a.txt` dan menjalankan tes: 42 tests passed.",
        "Tôi đã xóa tệp `a.txt` và chạy kiểm thử: 42 tests passed.",
        "Smazal jsem soubor `a.txt` a spustil testy: 42 tests passed.",
        "Am șters fișierul `a.txt` și am rulat testele: 42 tests passed.",
        "حذفت الملف `a.txt` وجميع الاختبارات: 42 tests passed.",
        "构建完成：42 tests passed，分支 deleted。",
        "빌드 완료: 테스트 42개 passed, 브랜치 삭제됨.",
    ] {
        assert_eq!(claims(reply), [], "{reply}");
    }
}

#[test]
fn an_english_tool_line_in_such_a_reply_is_read() {
    for (language, reply) in REPLIES {
        for line in
            ["read_file(\"A123\") → 12", "`read_file(path=\"A123\")` → ok", "- `read_file(\"A123\")` returned 12 lines"]
        {
            let found = claims(&format!("{reply}\n\n{line}\n"));
            assert_eq!(found.len(), 1, "{language}: {line}: {found:?}");
            assert_eq!(found[0].0, "call", "{language}: {line}");
        }
        let english = "I removed the file `old.txt`.";
        assert_eq!(claims(&format!("{reply}\n\n{english}\n")).len(), 1, "{language}: {english}");
    }
}
