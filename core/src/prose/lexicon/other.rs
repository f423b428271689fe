//! Languages without a lexicon of their own: only what tells them from English. Other scripts than the Latin one tell
//! themselves.

/// Common words of other European languages that English does not have.
pub(super) const FOREIGN: &[&str] = &[
    "aan", "aber", "adalah", "af", "al", "alcuni", "alla", "alle", "alles", "anche", "ao", "archivo", "arquivo", "att",
    "au", "auch", "auf", "aus", "aux", "av", "avec", "az", "bei", "beim", "bereits", "bir", "blev", "bu", "byl", "byla",
    "ce", "cette", "che", "com", "como", "con", "concluído", "da", "dan", "dans", "dari", "das", "de", "del", "della",
    "dem", "den", "dengan", "der", "des", "det", "değil", "di", "do", "dos", "durch", "e", "een", "egy", "ei", "ein",
    "eine", "einen", "el", "elle", "eller", "em", "en", "erledigt", "es", "est", "este", "está", "et", "ett",
    "fichier", "foi", "foram", "fost", "fue", "fueron", "för", "für", "gli", "ha", "habe", "han", "har", "hat", "het",
    "ho", "hogy", "ich", "ik", "ikke", "il", "ile", "im", "inte", "ist", "için", "jag", "je", "jest", "jetzt", "jsem",
    "kaikki", "kein", "keine", "las", "le", "les", "listo", "lo", "los", "maar", "mais", "mas", "med", "met", "mit",
    "más", "na", "nach", "nas", "nel", "nem", "není", "nicht", "nie", "niet", "noch", "non", "nos", "nous", "nur",
    "não", "och", "oder", "og", "ohne", "olarak", "ont", "ook", "op", "oraz", "os", "ou", "ovat", "où", "par", "para",
    "pas", "pentru", "pero", "più", "plus", "por", "pour", "på", "que", "qui", "réussi", "saya", "se", "seu", "sido",
    "sie", "sin", "sind", "się", "som", "sono", "sont", "stata", "stato", "su", "sua", "sudah", "sur", "são", "também",
    "telah", "terminé", "tidak", "till", "todas", "todos", "tous", "toutes", "tutte", "tutti", "uma", "un", "una",
    "und", "une", "untuk", "usted", "van", "ve", "você", "vom", "von", "voor", "votre", "vous", "w", "wenn",
    "werd", "werden", "wie", "wir", "wird", "wordt", "wurde", "wurden", "y", "ya", "yang", "z", "zijn", "zonder",
    "został", "została", "zu", "zum", "zur", "är", "è", "és", "été", "în", "über", "że", "был", "была", "были", "в",
    "для", "и", "из", "как", "на", "не", "по", "с", "что", "это",
];
