/**
 * Words that identify a language in headlines and releases: function words and the vocabulary of announcements. A word of
 * several languages is listed under each and weighs less. Words that begin company names in English text (société, banco,
 * groupe, energia) are left out on purpose. A word that exists in English too is also listed under `en`.
 */
export const languageWords: Readonly<Record<string, string>> = {
  en: `the of and to for in on at by with from as is are was were be been has have had will would may might can could
    its it their his her our your this that these those there here what why how who when after before over under up
    down out off into amid says said say not no new more than about against between first second third fourth
    quarter year half month week day today monday tuesday wednesday thursday friday january february march april
    june july august october results report reports reported reporting announces announced announcement publishes
    published publication releases statement update trading transaction transactions own shares share stock stocks
    sell sells buy buys buying selling rises rise rose falls fall fell gains gain slips slip jumps jump drops drop
    dips dip surges plunges steady holds hold higher lower mixed flat record high low ends closes close closed opens
    open cuts cut raises raise raised lifts trims beats misses tops tumbles climbs edges edge bounce rally earnings
    revenue profit loss sales income guidance outlook forecast dividend dividends buyback repurchase offering notes
    bond bonds notice annual general meeting interim voting rights capital holding holdings company companies
    group's board director directors officer chief executive chairman president managers manager's managers'
    shareholders shareholding shareholder person persons responsibilities notification disclosure filing filer
    issuer subject acquires acquire acquisition merger deal deals talks agreement contract order orders wins award
    awarded appoints appointed names named launches launch unveils plans plan expands build plant opening closing
    completes signs signed supply partnership strategic approval approves approved trial data drug files filed
    lawsuit sued fined probe recall recalls halted pending analyst analysts upgrade upgraded downgrade downgraded
    price prices target rate rates hike policy bank central inflation growth economy jobs unemployment exports
    imports tariffs trade government budget election market markets wall street futures oil crude gold copper corn
    natural gas yields treasury treasuries yen dollar currency crypto sources watch watching movers moves active
    best top big investors investor investing investment fund funds net asset value values per total number change
    changes based increase increased decrease month's weekly monthly quarterly yearly full half-year year-end
    third-quarter invitation presentation conference call mandatory preview calendar interview review block listing
    initial public issue issues issued issuance securities exchange commission form amendment ownership declaration
    final terms payment payments distribution ex benefit risk risks warns warning sees see seen expects expected set
    sector stake stakes production output strike mining drills ceo cfo pact assets rival owner property recession
    deficit debt lending loan loans storage flows settlement mulls eyes premarket after-hours insider unit business
    operations services technology products product customers energy steps step leaves leave retire joins hired
    hires workforce layoffs stores store sauce strong summer weak slow slows purchase purchased sold bought agreed
    adds add members retreats hits hit keeps key technical lists rules rule law bill tax vetoes unchanged discuss
    dollars stays stay available availability information access estimate estimates consensus expectations beat miss
    topped concerns hopes fears pressure european asian american german french japanese chinese indian british
    country state states city world global international north south east west united people news live latest
    breaking brief factbox explainer opinion analysis weighs shut shuts factory invests site soars broker unions
    demand demands pay gets green light cost lays shutters slashes furloughs idles interest ratio tender delists
    sues hotels insolvent tap sponsor combined offices minutes base prospectus supplement lowers deliveries
    clearance other duties admission convening but if so do does did get go goes make makes made take takes way back
    just like only even most some many such then them very where which while whose within without you all any both
    each few much one two three four five six seven eight nine ten a an i s sale com co firm due crisis start mln
    come war export till vote car man reduce minister extra fire import bourse period care merge actions holder sit
    documents programme comment miles non taper lira plus pro premier millions relative modern normal social digital
    trend team land hand arm gift art bad fast mode aim am also wage wages partners fair`,
  fr: `le la les des du au aux et est sont une dans pour par sur avec sans sous entre vers chez ce cette ces son sa ses
    leur leurs qui que dont où ne pas plus mais comme après avant depuis pendant selon été être avoir fait a ont
    sera notre nos vous nous il elle ils elles annonce annoncé relève résultats résultat chiffre d'affaires
    trimestre troisième deuxième premier première quatrième semestre semestriel semestriels annuel annuels annuelle
    exercice hausse baisse progresse recule bondit chute gagne perd actions propres droits vote nombre capital
    composant déclaration franchissement seuil seuils rachat mise disposition rapport financier financière assemblée
    générale mixte modalités documents préparatoires relatif relative mensuelle contrat liquidité bilan communiqué
    descriptif programme conseil d'administration directeur directrice général nomme nommé offre acquisition
    croissance bénéfice perte dette marché marchés bourse pétrole taux banque gouvernement emploi chômage prix
    l'inflation ralentit économie société entreprise titre titres actionnaires vente prochains jours lancement
    nouveau nouvelle nouveaux prévisions annuelles termine ouvre clôture jusqu'à aujourd'hui ans an mois cession
    cède obligations émission veut peut doit vont font près encore aussi très moins tous tout toute toutes chaque
    aucun plusieurs deux trois quatre cinq ainsi donc car si quand comment pourquoi parce lors loin hors dès c'est
    qu'il qu'elle l'entreprise l'économie l'emploi d'un d'une usine usines fermeture salariés syndicats grève
    dépenses publiques réduire réduit ventes voitures neuves logement nomination comité exécutif président envisage
    prévoit dévoile investit supprime postes cinquième semaine milliards millions européenne française français
    inquiètent loi budget impôts`,
  de: `der die das den dem des ein eine einer eines einem einen und oder ist sind war wird werden wurde wurden hat
    haben nicht auch auf aus bei bis durch für gegen im ins mit nach ohne seit über um unter vom von vor zu zum zur
    zwischen sich sie er es wir ihr sein seine ihre als wie dass wenn noch nur mehr sehr schon weiter gemäß abs ziel
    erhält steigt steigen stieg fällt fallen fiel sinkt sinken senkt hebt legt schließt startet plant kauft verkauft
    übernimmt ernennt beruft beschließt bestätigt erwartet meldet veröffentlicht gibt leicht deutlich höher aktie
    aktien aktionäre anleger anleihe umsatz gewinn verlust ergebnis ergebnisse quartal quartals quartalszahlen
    halbjahr jahr jahre jahres geschäftsjahr prognose dividende hauptversammlung vorstand aufsichtsrat unternehmen
    bekanntmachung einberufung generalversammlung veröffentlichung verbreitung stimmrechtsmitteilung eigengeschäfte
    führungskräften korrektur kapitalerhöhung rückkauf gewinnwarnung großauftrag auftrag aufträge prozent millionen
    milliarden euro-zone ölpreise zinsen notenbank wirtschaft arbeitslose börse markt märkte handel kurs kurse
    analysten potenzial jahrestief jahreshoch minus plus ruft zurück neuen neue neuer neues dritten ersten zweiten
    vierten finanzvorstand ordentlichen ordentliche deutschland inflation bleiben bleibt vorsichtig will soll kann
    könnte heute gestern alle alles andere anderen beide dann doch dort etwas ganz hier ihn ihm ihnen ihren ihrer
    immer jede jeden kein keine man muss nun ob sei seien seiner sowie statt trotz viel viele während warum was
    welche wer wieder wohl worden zwei drei vier fünf sieben zehn tausend hundert werk werke stellen streicht
    mitarbeiter gewerkschaft fordert lohn löhne mehrheit schließen übernahme preise steuern haushalt regierung
    bundesregierung wohnungsbau bricht autobauer zulieferer verkäufe exporte wachstum rechnet droht hält bringt geht
    kommt macht steht sieht lässt dürfte sollen wollen können müssen wegen weniger woche monat verliert gewinnt
    rekord kaum knapp erstmals`,
  es: `el la los las del de un una unos y o en por para con sin sobre entre desde hasta hacia según al lo su sus se que
    no más menos pero como también ya es son fue ha han será este esta estos tras ante bajo anuncia anunció reporta
    reportó obtiene obtuvo registra gana pierde sube suben baja bajan cae caen cierra cierran abre abren compra
    vende nombra aprueba lanza mantiene suspende reduce aumenta eleva cede trimestre tercer segundo primer cuarto
    semestre año años mes ventas ingresos beneficio beneficios ganancias pérdidas neto utilidad resultados resultado
    dividendo acciones accionistas junta extraordinaria ordinaria consejero delegado consejo administración
    presidente convocatoria información privilegiada emisión bonos participación compañía empresa tasa interés
    inflación economía gobierno mercado mercados bolsa bolsas banco-central petróleo dólar huelga operaciones
    desacelera octubre enero febrero septiembre noviembre diciembre julio junio anterior millones trimestral anual
    hecho relevante deuda nuevo nueva europeas nuevas nuevos todas todos otra otro cada muy sólo solo donde cuando
    quien porque si sí hay debe puede pueden quiere va van nos les mil dos tres cuatro cinco invertirá inversión
    planta plantas fábrica sindicatos convocan paros sector medidas vivienda producción retrocede crece crecen
    precio precios ley impuestos salarios empleo paro trabajadores presupuesto exportaciones importaciones cobre gas
    luz semana mayor menor mejor peor frente pide prevé espera alcanza logra millón miles europea español española
    países país crisis`,
  pt: `o os as um uma de do da dos das e em no na nos nas por pelo pela para com sem sobre entre até ao aos à às seu
    sua que não mais mas como também já é são foi ser tem diz anuncia anunciou registra registrou divulga divulgação
    sobe sobem cai caem fecha abre compra vende aprova lança mantém suspende reduz aumenta eleva acelera desacelera
    pretende trimestre terceiro segundo primeiro quarto semestre ano anos mês vendas receita lucro prejuízo líquido
    resultado resultados ações acionistas acionária assembleia ata reunião conselho administração fato relevante
    comunicado aviso transações dirigentes participação aquisição emissão obrigações pagamento juros capital próprio
    companhia empresa produção inflação economia governo mercado bolsa dólar queda alta temor impostos aumentar após
    decisão outubro janeiro fevereiro março setembro novembro dezembro milhões bilhões anterior período passado
    mesmo relação novo nova novos novas todos todas outro outra cada muito só onde quando quem porque se há deve
    pode podem quer vai vão lhe mil dois duas três quatro cinco investir investimento fábrica sindicatos greve setor
    medidas habitação recuam recua cresce crescem preço preços gasolina lei salários emprego desemprego
    trabalhadores orçamento exportações importações varejo próxima próximo semana maior menor melhor pior frente
    pede prevê espera atinge milhão seguido pacote país países crise está estão foram teve`,
  it: `il lo la gli le un una uno di del dello della dei degli delle a al allo alla ai agli alle da dal dalla dai in
    nel nella nei nelle su sul sulla con per tra fra e o ma non che chi cui come più anche è sono ha hanno sarà dopo
    prima l'inflazione dell'assemblea approva approvato chiude apre sale salgono scende calo rialzo ribasso acquista
    cede vende nomina lancia conferma annuncia annunciato rallenta cresce crescita trimestre semestre esercizio anno
    anni ricavi utile utili perdita netto risultati risultato azioni azionisti proprie assemblea convocazione avviso
    consiglio amministrazione amministratore delegato comunicato comunicazione relativa relativo all'acquisto
    deposito documentazione pagamento dividendo assembleare società obiettivi milioni miliardi mercati mercato borsa
    tassi economia governo prezzi settembre ottobre gennaio febbraio giugno luglio dicembre decisioni attendono
    conti piazza divisione obbligazioni intero pari nuovo nuova nuovi nuove tutti tutte altro altra ogni molto solo
    dove quando perché se c'è deve può possono vuole va vanno suo sua loro mila due tre quattro cinque investe
    investimento stabilimento stabilimenti fabbrica sindacati proclamano sciopero generale settore misure casa
    crescono prezzo legge tasse salari lavoro disoccupazione lavoratori bilancio esportazioni vendite prossima
    prossimo settimana maggiore minore migliore contro chiede prevede raggiunge milione titolo titoli stato stabile
    attesa asta vola promozione paese paesi crisi stata stati`,
  nl: `de het een en van in op met voor door bij naar uit over onder tussen tegen om te tot als dat die deze dit is
    zijn was wordt worden werd heeft hebben niet ook maar nog meer dan al zal zullen haar eigen start stijgt daalt
    verlaagt verhoogt benoemt krijgt schrapt koopt verkoopt sluit opent verwacht bevestigt kondigt aan publiceert
    lager hoger winst verlies omzet kwartaal derde tweede eerste vierde halfjaar jaar jaren resultaten aandelen
    aandeelhouders aandeel inkoop winstverwachting algemene vergadering oproeping openbaarmaking kennisgeving
    transparantiekennisgeving bekendmaking tussentijdse bestuur bestuurder raad commissarissen nieuwe nieuw bedrijf
    boete toezichthouder banen beurs rente inflatie procent miljoen miljard vraag helft behaalde bedrijven economie
    financieel directeur na aankoop alle alles andere beide doch daar iets heel hier hen hun altijd elke geen men
    moet nu of zonder zij zoals steeds toch veel vele tijdens waarom wat welke wie weer wel twee drie vier vijf
    zeven tien duizend honderd fabriek fabrieken vakbonden eisen lonen personeel sluiten blijven stijgen dalen
    ondanks huizenprijzen hypotheekrente prijzen belastingen begroting regering kabinet minister presenteert plannen
    woningmarkt verkoop export groei rekent dreigt houdt brengt gaat komt maakt staat ziet laat wil willen kunnen
    moeten geeft wegens minder week maand verliest wint overname werknemers ontslaat hogere lagere nederlandse`,
  sv: `och att det den de en ett i på av för från med till om vid under över efter mot hos som är var har hade ska kan
    inte men eller även samt sin sitt sina mellan extra januari februari maj juni juli augusti oktober delårsrapport
    bokslutskommuniké bokslutsrapport kallelse årsstämma stämma bolagsstämma kommuniké offentliggör tecknar avtal
    norsk svensk kund sänker höjer utser ny nya finanschef styrelsen styrelse styrelseordförande styrräntan beslutat
    beslutar riktad nyemission inbjudan presentation rapport omsättningen omsättning ökade ökar minskade minskar
    procent miljoner miljarder kronor rörelseresultatet rörelseresultat resultat förbättrades jämfört samma period
    föregående år kvartalet kvartal förändring antalet antal aktier aktie röster stänger öppnar börsen
    stockholmsbörsen utdelning utdelningen förvärvar förvärv säljer köper köpt insynshandel erhåller order
    valberedning förslag meddelar lanserar rekord inför resultatet alla allt andra båda då där något hela här honom
    dem deras alltid varje ingen man måste nu utan blir bli blev får fick vill kunna många varför vad vilka vem igen
    två tre fyra fem sju tio tusen hundra fabrik fabriken varslar anställda bostadspriserna fortsätter stiga sjunka
    regeringen skatten skatt arbete bolaget konkurrent priser budget försäljning försäljningen export tillväxt
    räknar hotar håller går kommer gör står ser ger mindre mer vecka månad förlorar vinner största första gången
    enligt dock också redan svenska`,
  da: `og at det den de en et i på af for fra med til om ved under over efter mod hos som er var har havde skal kan
    ikke men eller også samt sin sit sine mellem første halvår året hele januar februar maj juni juli august oktober
    delårsrapport årsrapport regnskab kvartalsrapport indkaldelse ordinær ekstraordinær generalforsamling afholdelse
    meddelelse storaktionærmeddelelse fondsbørsmeddelelse selskabsmeddelelse ledende medarbejderes medarbejdere
    transaktioner forbindelse aktietilbagekøb aktietilbagekøbsprogram aktier aktie aktionærer forventningerne
    forventninger opjusterer nedjusterer fastholder sænker hæver renten udnævner virksomheden selskabet opnåede
    omsætning omsætningen resultatet blev påvirket højere lavere råvarepriser ændring bestyrelsen bestyrelse
    direktør finansdirektør offentliggør endelige vilkår ny nye milliarder millioner mio kr uge ugens indberetning
    udbytte kvartal procent alle alt andre begge da der noget her ham dem deres altid hver ingen man må nu uden
    bliver blive får fik vil kunne mange hvorfor hvad hvilke hvem igen to tre fire fem syv ti tusind hundrede fabrik
    fabrikken lukker afskediger boligpriserne stiger fortsat falder hovedstaden regeringen skatten skat arbejde
    køber sælger konkurrent priser budget salg salget eksport vækst regner truer holder går kommer gør står ser
    giver mindre mere måned taber vinder største ifølge dog allerede danske danmark`,
  no: `og at det den de en et i på av for fra med til om ved under over etter mot hos som er var har hadde skal kan
    ikke men eller også samt sin sitt sine mellom første tredje fjerde andre halvår året januar februar mai juni
    juli august oktober kvartalsrapport kvartal kvartalet årsrapport innkalling ordinær ekstraordinær
    generalforsamling meldepliktig handel nøkkelinformasjon utbytte utbyttet inngår avtale salg datterselskap holder
    styringsrenten uendret stenger ned opp fall oljeprisen utnevner konserndirektør konsernsjef selskapet mottatt
    noen henvendelse tilbakekjøp egne aksjer aksje aksjonærer invitasjon presentasjon resultatet resultat
    driftsinntekter milliarder millioner kroner styret foreslår øke melding opphør fullmakt flagging flaggemelding
    emisjon prospekt børs børsen primærinnsidere tildeling opsjoner ny nye kjøper selger prosent alle alt begge da
    der noe hele her ham dem deres alltid hver ingen man må nå uten blir bli ble får fikk vil kunne mange hvorfor
    hva hvilke hvem igjen to tre fire fem sju ti tusen hundre fabrikk fabrikken legger sier ansatte boligprisene
    fortsetter stige stiger faller regjeringen avgiften skatten arbeid strøm konkurrent priser budsjett salget
    eksport vekst regner truer går kommer gjør står ser gir mindre mer måned taper vinner største ifølge likevel
    allerede norske norge`,
  fi: `ja on ei oli ovat että se hän mutta tai kun jos kuin myös sekä joka jonka jotka ole voi uusi uuden uudet vuoden
    vuosi vuonna oyj:n yhtiö yhtiön yhtiöt konsernin johdon liiketoimet omien osakkeiden osakkeet osakkeelta osake
    hankinta puolivuosikatsaus osavuosikatsaus tilinpäätöstiedote tilinpäätös kutsu varsinaiseen ylimääräiseen
    yhtiökokoukseen yhtiökokous yhtiökokouksen liputusilmoitus antaa tulosvaroituksen tulosvaroitus pörssi sulkeutui
    avautui laskussa nousussa inflaatio hidastui kiihtyi lokakuussa tammikuu syyskuu muutos määrässä määrä nimittää
    talousjohtajan toimitusjohtaja toimitusjohtajan hallitus hallituksen päätti osakeannista osakeanti liikevaihto
    liikevoitto kasvoi laski nousi prosenttia parani vertailukaudesta ehdottaa osingoksi osinko euroa miljoonaa
    merkintä optio-oikeuksilla pörssitiedote sisäpiiritieto tulos tuloksen kauppa sopimus sopimuksen neljänneksen
    neljännes päätökset kaikki muut molemmat niin siellä jotain koko täällä hänet heidän aina pitää nyt ilman tulee
    tuli saa sai haluaa moni miksi mitä mikä kuka taas kaksi kolme neljä viisi tuhat sata tehdas tehtaan tehtaita
    sulkee irtisanoo työntekijää asuntojen hinnat hintojen jatkavat jatkaa nousevat laskevat laskuaan nousuaan aikoo
    keventää kiristää työn verotusta vero ostaa myy kilpailijansa miljoonalla eurolla budjetti myynti myynnin vienti
    kasvu uhkaa menee vähemmän enemmän viikko kuukausi voittaa suurin ensimmäinen mukaan kuitenkin suomen suomessa
    kaupan välillä ennen jälkeen`,
  pl: `i w z na do od o po za ze nie się jest są był była było oraz lub który która które ale jak dla przez przed przy
    pod nad między został została jego jej ich tego tej podpisała podpisał umowę umowy umowa dostawy raport bieżący
    okresowy zwołanie zwyczajnego nadzwyczajnego walnego zgromadzenia akcjonariuszy inflacja spadła wzrosła wzrost
    spadek spada rośnie giełda giełdzie zamknęła minusie zarząd zarządu rekomenduje wypłatę dywidendy dywidenda
    obniżył podniósł stopy procentowe spółka spółki odnotowała przychodów przychody zawiadomienie zmianie udziału
    ogólnej liczbie głosów powołanie członka rady nadzorczej wyniki zysk zysku netto strata wysokości wobec rok roku
    wcześniej podtrzymała prognozy cały zwiększa sprzedaż sprzedaży kwartał kwartale akcji akcje mln mld zł
    październiku nowy nowa wszystkie inne tam coś tu go nich zawsze każdy trzeba teraz bez będzie będą może chce
    mogą wiele dlaczego co kto znowu dwa trzy cztery pięć tysiąc sto fabrykę fabryka zamyka zwalnia pracowników ceny
    mieszkań nadal rosną spadają dużych miastach rząd obniżyć podatki firm firmy budżet eksport import wzrostu grozi
    idzie daje mniej więcej tydzień miesiąc największy pierwszy według jednak także już polska polski polsce`,
  tr: `ve bir bu ile için de da ki daha çok en gibi olarak göre sonra önce kadar karşı olan oldu olduğu yeni yatırım
    kararı aldı merkez bankası politika faizini faiz sabit tuttu artırdı indirdi borsa günü güne düşüşle yükselişle
    kapattı başladı genel kurul toplantısına toplantısı çağrı şirket şirketin şirketi üçüncü ikinci birinci çeyrek
    bilançosunu bilanço açıkladı duyurdu yıllık aylık enflasyon ekimde geriledi yükseldi düştü arttı altın fiyatları
    fiyatı rekor kırdı pay geri alım işlemleri hakkında dolar net kârı kâr zarar geçen yılın yıl aynı dönemine yüzde
    artarak milyar milyon liraya lira ulaştı türkiye ihracat ithalat hisse hisseleri açıklama bildirim sözleşme tüm
    bütün başka her hiç şimdi olmadan oluyor olacak istiyor neden ne kim yine iki üç dört beş bin fabrikasını
    fabrika kapatıyor çıkarıyor kişiyi işten konut büyük şehirlerde yükselmeye devam ediyor etti edecek hükümet
    vergi indirimi planlıyor bütçe satış satışları büyüme azaldı ilk türk`,
  cs: `a v ve s se z ze na do od o po za je jsou byl byla bylo není že který která které ale jako pro při před mezi
    podle také už jeho její tento svůj zvýšila zvýšil snížila snížil výrobu výroba vozů národní banka ponechala
    sazby sazeb beze změny burza oslabila posílila koruna pozvánka řádnou mimořádnou valnou hromadu valná hromada
    inflace v-česku česku říjnu zpomalila zrychlila společnost společnosti oznámila oznámil výsledky výsledků třetí
    čtvrtletí pololetí akcie akcií akcionářů výrobce prudce vzrostly vzrostl klesla klesl vláda schválila návrh
    státního rozpočtu dosáhla čistého čistý zisku zisk ztráta milionů miliard korun potvrdila celoroční výhled roku
    rok letos všechny jiné tam něco zde ho jim vždy každý musí nyní bez bude budou může chce mohou mnoho proč co kdo
    opět dva tři čtyři pět tisíc sto závod uzavře propustí zaměstnanců ceny bytů velkých městech dál rostou klesají
    snížit zvýšit daně firmám rozpočet vývoz dovoz růst hrozí méně více týden měsíc největší první však českých`,
  hu: `a az és vagy egy is nem hogy de ha mint csak már még el ki meg be fel le volt lesz van magyar nemzeti bank
    változtatott alapkamaton alapkamat gyengült erősödött forint euróval szemben meghívó éves rendes rendkívüli
    tájékoztatás közgyűlésre közgyűlés nőtt csökkent infláció októberben társaság közzétette harmadik második első
    negyedéves féléves jelentését jelentés emelkedéssel eséssel zárt tőzsde budapesti új vezérigazgatót
    vezérigazgató neveztek cég céget élére nettó eredménye eredmény százalékkal százalék előző azonos időszakához
    képest millió milliárd részvény részvények osztalék igazgatóság tranzakció árbevétel nyereség veszteség miatt
    szerint után évi minden más ott valami itt őt mindig kell most nélkül lesznek lehet akar sok miért mi ismét két
    három négy öt ezer száz bezárja gyárát elbocsát dolgozót dolgozók tovább emelkednek lakásárak nagyvárosokban
    kormány csökkentené cégek adóját adó költségvetés export növekedés fenyeget kevesebb több hét hónap legnagyobb
    először`,
  ro: `și în la de din cu pe pentru prin către sau nu este sunt era fost au o un al ai ale lui care că mai după până
    între față peste sub raportat profit profitul creștere scădere inflația scăzut crescut octombrie convocarea
    convocator adunării generale ordinare extraordinare acționarilor menținut dobânda politică monetară bursa închis
    deschis minus compania companiei semnat contractul livrarea energie acțiunile acțiuni urcat publicarea
    rezultatelor rezultate guvernul aprobat bugetul anul viitor înregistrat milioane miliarde lei mare decât
    precedent trimestrul trimestru raport curent dividende vânzări cifra afaceri piața prețul nou nouă privind toate
    alte acolo ceva aici îi lor mereu fiecare trebuie acum fără va vor poate vrea pot multe ce cine doi trei patru
    cinci mii sute închide fabrică concediază angajați prețurile locuințelor continuă crească scadă marile orașe
    reducă taxele firme buget exporturi creșterea amenință merge dă săptămâna luna cel prima potrivit însă deja
    româniei`,
  id: `dan di ke dari yang untuk pada dengan dalam oleh ini itu akan tidak adalah atau juga telah sudah bisa karena
    lebih saat hari umumkan pembagian dividen tahan suku bunga acuan ditutup dibuka melemah menguat perdagangan
    terhadap dolar pengumuman rapat umum pemegang saham tahunan luar biasa laba rugi bersih perusahaan perseroan
    naik turun persen harga emas minyak kembali mencetak rekor menandatangani perjanjian kredit membukukan
    pendapatan sebesar meningkat menurun dibandingkan tahun lalu triliun miliar juta pasar ekonomi pemerintah
    inflasi ekspor impor kuartal semester laporan keuangan direktur komisaris penjualan rupiah sebagai hingga
    setelah semua lain ada sini selalu setiap harus sekarang tanpa menjadi mau banyak mengapa apa siapa lagi dua
    tiga empat lima ribu ratus pabrik menutup memberhentikan karyawan rumah terus kota besar menurunkan menaikkan
    pajak anggaran pertumbuhan kurang pekan bulan terbesar pertama menurut namun`,
  vi: `và của là có cho với trong ngoài từ đến được không này đó các những một hai ba lãi suất điều hành giữ nguyên
    chứng khoán giảm tăng điểm phiên thứ liên tiếp công ty bố kết quả kinh doanh quý giá vàng lập kỷ lục mới ngân
    hàng nhà nước bán mua ngoại tệ xuất khẩu nhập mạnh tháng mười đại hội đồng cổ đông thường niên phần lợi nhuận
    đạt thu tỷ triệu so cùng kỳ năm trước thị trường tế lạm phát phiếu trái đóng cửa máy sa thải nhân viên tục ở lớn
    chính phủ muốn thuế nghiệp sách trưởng hơn ít tuần nhất theo`,
};
