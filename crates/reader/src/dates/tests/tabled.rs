//! The languages of the tables, form by form.

use jiff::civil::date;

use super::{TODAY, check, untouched};

#[test]
fn f4_common_forms_of_each_language() {
    check(
        TODAY,
        &[
            ("Die Abnahme ist nächsten Dienstag.", "Die Abnahme ist nächsten Dienstag (2026-04-14)."),
            ("Vor drei Tagen fiel der Dienst aus.", "Vor drei Tagen (2026-04-07) fiel der Dienst aus."),
            ("Das ist bis Montag fällig.", "Das ist bis Montag (2026-04-13) fällig."),
            ("Der Umzug ist am 5. Juni.", "Der Umzug ist am 5. Juni (2026-06-05)."),
            ("La démo est reportée à mardi.", "La démo est reportée à mardi (2026-04-14)."),
            ("Il y a deux jours, le site est tombé.", "Il y a deux jours (2026-04-08), le site est tombé."),
            ("L'année prochaine on change.", "L'année prochaine (2027) on change."),
            ("El martes pasado se cayó.", "El martes pasado (2026-04-07) se cayó."),
            ("Hay que acabar antes de fin de mes.", "Hay que acabar antes de fin de mes (2026-04-30)."),
            ("A reunião foi adiada para quinta-feira.", "A reunião foi adiada para quinta-feira (2026-04-16)."),
            ("Há três dias o site caiu.", "Há três dias (2026-04-07) o site caiu."),
            ("La demo è stata spostata a giovedì.", "La demo è stata spostata a giovedì (2026-04-16)."),
            ("De demo is verplaatst naar donderdag.", "De demo is verplaatst naar donderdag (2026-04-16)."),
            ("Релиз будет завтра утром.", "Релиз будет завтра утром (2026-04-11)."),
            ("Отчёт нужно сдать до среды.", "Отчёт нужно сдать до среды (2026-04-15)."),
            ("Демо перенесли на четверг.", "Демо перенесли на четверг (2026-04-16)."),
            ("Через две недели будет аудит.", "Через две недели (2026-04-24) будет аудит."),
            ("Заказчик приедет через неделю.", "Заказчик приедет через неделю (2026-04-17)."),
            ("Сервер упал три дня назад.", "Сервер упал три дня назад (2026-04-07)."),
            ("На следующей неделе у нас ревизия.", "На следующей неделе (2026-04-13 – 2026-04-19) у нас ревизия."),
            ("Это надо закончить до конца месяца.", "Это надо закончить до конца месяца (2026-04-30)."),
            ("Переезд назначен на 5 июня.", "Переезд назначен на 5 июня (2026-06-05)."),
            ("来週の火曜に出す。", "来週の火曜(2026-04-14)に出す。"),
            ("木曜日までに提出してください。", "木曜日(2026-04-16)までに提出してください。"),
            ("지난주 금요일에 배포했다.", "지난주 금요일(2026-04-03)에 배포했다."),
            ("금요일까지 끝내야 한다.", "금요일(2026-04-17)까지 끝내야 한다."),
        ],
    );
    check(
        TODAY,
        &[
            ("La migración es el martes.", "La migración es el martes (2026-04-14)."),
            ("On bascule le site lundi matin.", "On bascule le site lundi matin (2026-04-13)."),
            ("Giovedì arriva il tecnico.", "Giovedì (2026-04-16) arriva il tecnico."),
            ("O servidor novo chega na terça-feira.", "O servidor novo chega na terça-feira (2026-04-14)."),
            ("В среду приедут аудиторы.", "В среду (2026-04-15) приедут аудиторы."),
            ("Übernächsten Montag wird abgeschaltet.", "Übernächsten Montag (2026-04-20) wird abgeschaltet."),
        ],
    );
    check(
        date(2027, 12, 31),
        &[
            ("Wir sehen uns übermorgen, das ist sicher.", "Wir sehen uns übermorgen (2028-01-02), das ist sicher."),
            ("来月から変わる。", "来月(2028-01)から変わる。"),
            ("On livre dans deux mois.", "On livre dans deux mois (2028-02)."),
        ],
    );
}

#[test]
fn f4_habits_of_each_language_stay() {
    untouched(&[
        "No desplegamos el viernes.",
        "Abrimos el martes y el jueves.",
        "On ne livre pas vendredi.",
        "Il giovedì arriva il tecnico.",
        "Os relatórios saem toda terça-feira.",
        "По пятницам мы не выкатываем.",
        "Каждый вторник у нас ревью.",
        "Обычно в понедельник мы сверяем остатки.",
        "Резервная копия хранится 30 дней.",
        "Сборка занимает два часа, иногда три.",
        "Jeden Montag prüfen wir die Liste.",
        "Am Freitag ist Retro.",
        "Freitags wird nicht deployt.",
        "Le vendredi on ne déploie pas.",
        "Tous les mardis, revue de code.",
        "Los viernes no se despliega.",
        "El primer lunes de cada mes hay inventario.",
        "Às sextas-feiras não há deploy.",
        "Il venerdì non si fa deploy.",
        "Op vrijdag deployen we nooit.",
        "毎週金曜日にリリースする。",
        "定例は月曜日です。",
        "매주 월요일에 회의가 있다.",
    ]);
}

#[test]
fn f4_words_of_each_language_that_are_no_dates_stay() {
    untouched(&[
        "Guten Morgen sagt der Bot.",
        "Hier ist die Konfiguration zu finden.",
        "Por la mañana el servidor va lento.",
        "A segunda versão é melhor.",
        "明日香さんが担当です。",
        "오늘의집 앱을 쓴다.",
        "Am 5. Juni 2026 ist der Umzug.",
        "Er sagte „morgen“, mehr nicht.",
        "2026年6月5日に出す。",
    ]);
}
