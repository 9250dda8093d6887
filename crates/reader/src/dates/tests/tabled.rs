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

#[test]
fn f4_common_forms_of_slavic_languages() {
    check(
        TODAY,
        &[
            ("Jutro rano wdrażamy wersję.", "Jutro rano (2026-04-11) wdrażamy wersję."),
            ("To musi być gotowe do środy.", "To musi być gotowe do środy (2026-04-15)."),
            ("Serwer padł trzy dni temu.", "Serwer padł trzy dni temu (2026-04-07)."),
            ("Za dwa tygodnie mamy audyt.", "Za dwa tygodnie (2026-04-24) mamy audyt."),
            ("Demo przesunięto na czwartek.", "Demo przesunięto na czwartek (2026-04-16)."),
            ("Do końca miesiąca trzeba to wyłączyć.", "Do końca miesiąca (2026-04-30) trzeba to wyłączyć."),
            ("Zítra ráno nasadíme verzi.", "Zítra ráno (2026-04-11) nasadíme verzi."),
            ("Server spadl před třemi dny.", "Server spadl před třemi dny (2026-04-07)."),
            ("Oprava musí být hotová do středy.", "Oprava musí být hotová do středy (2026-04-15)."),
            ("Příští týden přijede auditor.", "Příští týden (2026-04-13 – 2026-04-19) přijede auditor."),
            ("Stěhování je 5. června.", "Stěhování je 5. června (2026-06-05)."),
            ("Реліз буде завтра вранці.", "Реліз буде завтра вранці (2026-04-11)."),
            ("Звіт треба здати до п’ятниці.", "Звіт треба здати до п’ятниці (2026-04-17)."),
            ("Сервер упав три дні тому.", "Сервер упав три дні тому (2026-04-07)."),
            ("Наступного вівторка буде демо.", "Наступного вівторка (2026-04-14) буде демо."),
            ("Аудит призначено на 5-го червня.", "Аудит призначено на 5-го червня (2026-06-05)."),
        ],
    );
    untouched(&[
        "W piątki nie wdrażamy.",
        "Spotkanie zespołu jest w poniedziałek.",
        "Projekt nazywa się Sobota.",
        "Kopie trzymamy 30 dni.",
        "V pátek nenasazujeme.",
        "Každé úterý děláme revizi kódu.",
        "Projekt se jmenuje Sobota.",
        "По п'ятницях ми не викочуємо.",
        "Ретро у нас у четвер.",
        "5 жовтня 2025 року ми перенесли базу.",
    ]);
}

#[test]
fn f4_common_forms_of_nordic_languages() {
    check(
        TODAY,
        &[
            ("Vi släpper det imorgon bitti.", "Vi släpper det imorgon bitti (2026-04-11)."),
            ("Rättningen ska vara klar till onsdag.", "Rättningen ska vara klar till onsdag (2026-04-15)."),
            ("Vi driftsätter på torsdag.", "Vi driftsätter på torsdag (2026-04-16)."),
            ("I måndags föll databasen.", "I måndags (2026-04-06) föll databasen."),
            ("Flytten är den 5:e juni.", "Flytten är den 5:e juni (2026-06-05)."),
            ("Om to uger udløber licensen.", "Om to uger (2026-04-24) udløber licensen."),
            ("Serveren gik ned for tre dage siden.", "Serveren gik ned for tre dage siden (2026-04-07)."),
            ("Møtet er flyttet til torsdag.", "Møtet er flyttet til torsdag (2026-04-16)."),
            ("Revisoren kommer neste uke.", "Revisoren kommer neste uke (2026-04-13 – 2026-04-19)."),
        ],
    );
    untouched(&[
        "Vi driftsätter aldrig på fredagar.",
        "Inga driftsättningar på fredag eftermiddag.",
        "Projektet heter Lördag.",
        "Om fredagen udgiver vi ikke.",
        "Vi udgiver ikke på fredag.",
        "Hver tirsdag går vi gjennom koden.",
    ]);
}

#[test]
fn f4_common_forms_of_turkish_indonesian_and_vietnamese() {
    check(
        TODAY,
        &[
            ("Yeni sürümü yarın sabah yayınlıyoruz.", "Yeni sürümü yarın sabah (2026-04-11) yayınlıyoruz."),
            ("Düzeltme cuma'ya kadar bitmeli.", "Düzeltme cuma'ya kadar (2026-04-17) bitmeli."),
            ("İki hafta sonra lisans doluyor.", "İki hafta sonra (2026-04-24) lisans doluyor."),
            ("Perşembe günü geçiş yapacağız.", "Perşembe günü (2026-04-16) geçiş yapacağız."),
            ("Lisensinya habis dua minggu lagi.", "Lisensinya habis dua minggu lagi (2026-04-24)."),
            ("Auditor akan datang minggu depan.", "Auditor akan datang minggu depan (2026-04-13 – 2026-04-19)."),
            ("Ini harus selesai sebelum hari Minggu.", "Ini harus selesai sebelum hari Minggu (2026-04-12)."),
            ("Sáng mai chúng tôi phát hành.", "Sáng mai (2026-04-11) chúng tôi phát hành."),
            ("Việc này phải xong trước thứ tư.", "Việc này phải xong trước thứ tư (2026-04-15)."),
            ("Máy chủ sập cách đây ba ngày.", "Máy chủ sập cách đây ba ngày (2026-04-07)."),
        ],
    );
    untouched(&[
        "Cuma günleri yayına çıkmıyoruz.",
        "Her salı kod gözden geçirmesi yapıyoruz.",
        "Projenin adı Cumartesi.",
        "Jangan rilis pada hari Jumat.",
        "Setiap Senin kami rapat.",
        "Proyek itu bernama Sabtu.",
        "Mỗi thứ hai chúng tôi họp.",
        "Phiên bản thứ hai sẽ tốt hơn.",
        "Ngày 5 tháng 10 năm 2025 chúng tôi đã chuyển.",
    ]);
}

#[test]
fn f4_a_day_of_the_month_alone_takes_a_sign_of_one_time() {
    check(
        TODAY,
        &[
            ("On doit livrer le 20.", "On doit livrer le 20 (2026-04-20)."),
            ("El servidor nuevo llegará el 20.", "El servidor nuevo llegará el 20 (2026-04-20)."),
            ("Lundi en huit on présente au comité.", "Lundi en huit (2026-04-20) on présente au comité."),
        ],
    );
    untouched(&[
        "La paie part le 28.",
        "On doit garder le 20 derniers fichiers.",
        "Un vendredi sur deux on fait une rétro.",
    ]);
}

#[test]
fn f4_what_is_called_like_a_day_is_a_name() {
    untouched(&[
        "L'outil s'appelle Vendredi.",
        "Das Werkzeug heißt Morgen und ist hier.",
        "El proyecto se llama Mañana.",
        "Il servizio si chiama Domani.",
        "Сервис называется Завтра.",
    ]);
}
