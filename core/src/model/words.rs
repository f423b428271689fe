//! Words that speak of results. A reply without any of them, in which no reader read a claim, is not asked about.

use crate::prose::{Token, TokenKind};

/// The words of English, in order.
const ENGLISH: &[&str] = &[
    "confirmed",
    "deleted",
    "denied",
    "displayed",
    "executed",
    "failed",
    "output",
    "passed",
    "posted",
    "ran",
    "removed",
    "returned",
    "verified",
    "wrote",
];

/// The same in German, Spanish, French, Portuguese and Italian, in order. Readers leave clauses in these languages alone, so
/// that a model is all that can be asked about them.
const OTHERS: &[&str] = &[
    "abgelehnt",
    "angezeigt",
    "aprobado",
    "ausgabe",
    "ausgeführt",
    "bestanden",
    "bestätigt",
    "borrado",
    "confermato",
    "confirmado",
    "confirmé",
    "devolvió",
    "effacé",
    "ejecutado",
    "ejecuté",
    "eliminado",
    "eliminato",
    "entfernt",
    "enviada",
    "enviado",
    "envoyé",
    "eseguito",
    "executada",
    "executado",
    "exécuté",
    "falhou",
    "fallido",
    "fallito",
    "falló",
    "fehlgeschlagen",
    "gelöscht",
    "geprüft",
    "geschickt",
    "geschrieben",
    "gesendet",
    "installiert",
    "inviato",
    "negado",
    "negato",
    "pasaron",
    "passaram",
    "passé",
    "passés",
    "refusé",
    "renvoyé",
    "retornou",
    "salida",
    "saída",
    "scritto",
    "sortie",
    "superadas",
    "superados",
    "superato",
    "supprimé",
    "verificado",
    "verificato",
    "vérifié",
    "échoué",
    "écrit",
];

/// Parts of words in languages that set no spaces or bend the ends of words: Chinese, Japanese, Korean.
const PARTS: &[&str] = &[
    "输出", "通过", "执行", "运行", "失败", "删除", "验证", "确认", "返回", "写入", "发送", "拒绝", "显示", "移除",
    "実行", "成功", "失敗", "削除", "検証", "確認", "出力", "送信", "実施", "실행", "통과", "실패", "삭제", "확인",
    "검증", "출력", "발송", "전송",
];

/// Whether a word or mark speaks of results. An arrow does, too.
pub(super) fn speaks(token: &Token<'_>) -> bool {
    let word = &*token.text;
    match token.kind {
        TokenKind::Word if word.is_ascii() => {
            ENGLISH.binary_search(&word).is_ok() || OTHERS.binary_search(&word).is_ok()
        }
        TokenKind::Word => OTHERS.binary_search(&word).is_ok() || PARTS.iter().any(|part| word.contains(part)),
        TokenKind::Arrow => true,
        TokenKind::Number | TokenKind::Code | TokenKind::Mark => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prose::Prose;

    fn told(reply: &str) -> bool {
        Prose::read(reply).tokens.iter().any(speaks)
    }

    #[test]
    fn the_words_are_in_order() {
        assert!(ENGLISH.is_sorted() && OTHERS.is_sorted());
    }

    #[test]
    fn results_are_spoken_of_in_many_languages() {
        for reply in [
            "It ran.",
            "a → b",
            "OUTPUT",
            "Die Tests wurden ausgeführt.",
            "El archivo fue eliminado.",
            "Le fichier est supprimé.",
            "O ficheiro foi executado.",
            "测试全部通过。",
            "テストを実行しました。",
            "파일을 삭제했습니다.",
        ] {
            assert!(told(reply), "{reply}");
        }
        for reply in ["The lamp is green.", "`ran`", "Das ist ein Haus.", "你好。", "random passenger"] {
            assert!(!told(reply), "{reply}");
        }
    }
}
