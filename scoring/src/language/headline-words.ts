/** Words of short headlines on markets, prices, jobs and government, beside those of words.ts. */
export const headlineWords: Readonly<Record<string, string>> = {
  en: `exit exits enter enters back backs eye eyed near nears tick ticks shrink shrinks widen widens narrow narrows cool
    cools ease eases easing heat heats rebound rebounds soften softens unveil probes probe fines fine hearing court judge
    ruling appeal settles sanctions talks truce visit summit minister lawmakers senate parliament cabinet spending wins
    homes housing mortgage builders retail shoppers consumers consumer food grocery wheat soybeans sugar coffee cocoa
    copper steel power grid gas pipeline refinery drug vaccine hospital insurer insurers carmaker automaker airline
    airlines flights chip chips chipmaker software cloud phones devices plants jobs payrolls hiring wages pay strike
    walkout union unions bid bids takeover suitor spin off split merge merges swap debut listing soar soars slump slumps
    plunge tumble rout rallies rally selloff gauge index indexes benchmark bourse bonds notes priced prices auction
    yield spread spreads barrel barrels ounce tonnes prior versus head names chair ousts leader braces slides worry
    amid loosen extend hours tighter looser higher-than-expected lower-than-expected weaker stronger bigger smaller`,
  de: `bahn erhöht erhöhen erhöhung senken senkung fahrpreise preise verbraucherpreise verbraucher arbeitsmarkt
    arbeitslosigkeit arbeitslosenquote wirtschaftsleistung schrumpft wächst zulegen verliert rutscht rutschen dreht ins
    schwächer stärker freundlich tiefer gewinne verluste leitzins zinssenkung zinserhöhung bundesbank anstieg rückgang
    baut ab abbau streik streiks warnstreik tarif tarifrunde löhne rente renten mieten strompreise strom gaspreise
    benzin autoindustrie industrie industrieproduktion aufträge bestellungen einzelhandel ausfuhren einfuhren
    konjunktur ausblick erwartungen trifft verfehlt übertrifft vorjahr vorquartal im am vom beim dem kursziel stuft hoch
    herauf herab rechnung konzern konzerne tochter verkauf kauf beteiligung anteil anteile insolvenz beantragt
    kündigt an kündigen klage gericht urteil gesetz bundestag koalition haushaltsstreit milliardenverlust mehr weniger`,
  fr: `bourse recule reculent grimpe grimpent bondit plonge stable stabilise chômage croissance prévision prévisions
    abaisse abaissent relèvent inflation ralentissement salaires smic retraites grève grèves impôt taxe taxes loyers
    pouvoir d'achat consommation ménages entreprises carburants carburant gaz électricité immobilier crédits dépôts
    déficit excédent commerce extérieur exportations importations usine emplois licenciements suppressions rachète rachat
    fusion filiale cède cession vend accord signe contrats commande commandes bénéfices pertes exercice clos dividende
    actionnaire cours action actions baissent montent s'envole s'effondre dévisse flambe hausses baisses semaine mardi
    lundi mercredi jeudi vendredi hier demain matin soir selon face contre plan gouvernement premier ministre député
    sénat loi projet réforme tribunal enquête amende sanction européen européenne américain allemand chinois`,
  es: `baja bajan sube suben tipos tasa tasas desempleo paro empleo salario salarios mínimo bolsa bolsas cierra inflación
    precios consumo vivienda alquiler alquileres hipotecas hipoteca impuesto impuestos presupuesto gasto déficit deuda
    exportaciones importaciones petróleo gasolina luz huelga sindicatos despidos despide plantilla fábrica planta ventas
    gobierno congreso senado ley reforma tribunal multa acuerdo firma contrato filial fusión opa oferta beneficio
    crece crecen crecimiento economía mercado mercados dólar peso euro récord mínimos máximos semana lunes martes
    miércoles jueves viernes ayer hoy mañana frente pide exige rechaza acepta prevé espera estima recorta recortan
    mejora empeora dispara disparan desploma hunde avanza retrocede alza alzas caída caídas repunta repunte`,
  pt: `queda quedas alta altas sobe sobem cai caem recua recuam avança avançam fecha fecham dólar real bolsa inflação
    desacelera acelera juros taxa selic desemprego emprego salário salários mínimo governo congresso senado câmara
    orçamento aprova aprovam novo nova novos novas imposto impostos reforma dívida déficit superávit exportações
    importações petróleo gasolina energia greve demissões fábrica vendas varejo indústria produção safra lucro lucros
    prejuízo receita trimestre semestre cresce crescem crescimento economia mercado mercados ações semana segunda-feira
    terça-feira quarta-feira quinta-feira sexta-feira hoje ontem maio junho julho prevê espera anuncia corta reduz eleva
    mantém acordo fusão oferta compra vende multa tribunal lei`,
  it: `borse borsa europee rialzo ribasso calo cala calano sale salgono scende scendono chiude chiudono apre aprono
    disoccupazione occupazione lavoro salari stipendi pensioni governo manovra bilancio approva approvano decreto
    tasse imposte prezzi inflazione rallenta accelera crescita cresce crescono economia mercati mercato tassi spread
    petrolio benzina gas energia bollette sciopero sindacati esuberi stabilimento vendite industria produzione
    esportazioni importazioni utile utili perdita ricavi trimestre semestre accordo fusione offerta opa acquista cede
    cessione multa tribunale legge riforma settimana oggi ieri domani lunedì martedì mercoledì giovedì venerdì maggio
    giugno luglio prevede stima taglia tagliano alza conferma verso dopo contro senza anche più meno piazza affari`,
  nl: `sluit sluiten hoger lager stijgt stijgen daalt dalen daling stijging licht fors werkloosheid werklozen banen lonen
    loon kabinet kamer regering begroting belasting belastingen accijns verhoogt verhogen verlaagt verlagen prijzen
    inflatie rente beurs beurzen winst verlies omzet kwartaal halfjaar jaarcijfers verwachting verwachtingen groei
    groeit krimpt economie huizenprijzen huizen woningen huur energie olie gasprijs staking vakbond vakbonden ontslagen
    schrapt fabriek verkoopt koopt overname bod aandeel aandelen beleggers miljoen miljard procent week vandaag gisteren
    morgen maandag dinsdag woensdag donderdag vrijdag mei juni juli opnieuw steeds minder meer nieuwe eerste tweede`,
  sv: `stänger öppnar plus minus stiger sjunker faller rusar rasar lyfter backar arbetslösheten arbetslöshet jobben löner
    räntan ränta räntor räntesänkning höjning sänkning riksbanken regeringen riksdagen budget skatt skatter priser
    bostadspriser inflationen inflation igen under över tredje andra första vinst vinsten förlust intäkter bolaget
    bolagets tillväxt tillväxten ekonomin exporten importen oljan elpriset elpriser strejk facket varsel fabrik
    köper säljer bud uppköp aktien aktierna börsras vecka idag igår måndag tisdag onsdag torsdag fredag juni juli
    väntas spår prognos prognosen analytiker kronan`,
  pl: `spada spadają rośnie rosną wzrost spadek bezrobocie inflacja ceny płace płaca minimalna rząd sejm senat budżet
    podatek podatki obniża podnosi stopy procentowe giełda zamyka otwiera minusie plusie maju czerwcu lipcu sierpniu
    wrześniu październiku listopadzie grudniu kwartał kwartale trzecim drugim pierwszym zysk strata przychody spółka
    spółki zwiększyła zmniejszyła sprzedaż eksport import produkcja przemysł handel złoty dolar ropa gaz energia prąd
    strajk zwolnienia fabryka umowa przejęcie oferta akcje dzisiaj wczoraj jutro poniedziałek wtorek środa czwartek
    piątek bank centralny decyzja prognoza prognozy gospodarka rynek rynki nowy nowa nowe`,
  da: `stiger falder lukker åbner aktier renten renter ledigheden ledighed regeringen folketinget budget skat skatter
    priser boligpriser inflationen vækst væksten eksporten overskud underskud omsætning kvartal køber sælger opkøb
    fyringer strejke fabrik mandag tirsdag onsdag torsdag fredag juni juli igen forventer forventning hæver sænker`,
  no: `stiger faller børsen stenger åpner renten renter ledigheten arbeidsledigheten regjeringen stortinget budsjett skatt
    skatter priser boligpriser prisveksten inflasjonen vekst veksten eksporten overskudd underskudd omsetning kvartal
    kjøper selger oppkjøp oppsigelser streik fabrikk mandag tirsdag onsdag torsdag fredag juni juli igjen venter hever
    senker krone kronen kutter øker`,
  fi: `nousee nousevat laskee laskevat pörssi korko korot työttömyys hallitus eduskunta budjetti vero verot hinnat
    inflaatio kasvu kasvaa vienti tuonti voitto tappio liikevaihto neljännes myynti ostaa myy lakko irtisanoo tehdas
    maanantai tiistai keskiviikko torstai perjantai touko kesäkuu heinäkuu jälleen ennuste odottaa`,
  tr: `yükseldi düştü artı arttı azaldı geriledi borsa faiz enflasyon işsizlik hükümet meclis bütçe vergi fiyat fiyatlar
    büyüme ihracat ithalat kâr kar zarar gelir çeyrek satış aldı sattı grev fabrika pazartesi salı çarşamba perşembe
    cuma mayıs haziran temmuz ağustos eylül ekim kasım aralık milyar milyon dolar lira merkez bankası açıkladı`,
  cs: `roste klesá klesla vzrostla burza úrok úroky nezaměstnanost vláda sněmovna rozpočet daň daně ceny inflace růst
    vývoz dovoz zisk ztráta tržby čtvrtletí prodej koupí stávka továrna pondělí úterý středa čtvrtek pátek květnu červnu
    miliard milionů koruna banka zvýšila snížila`,
  hu: `nő csökken tőzsde kamat infláció munkanélküliség kormány költségvetés adó árak növekedés export import nyereség
    veszteség bevétel negyedév eladás sztrájk gyár hétfő kedd szerda csütörtök péntek milliárd millió forint jegybank
    emelte csökkentette`,
  ro: `crește scade bursa dobânda inflația șomajul guvernul parlamentul buget taxe prețuri creștere export import profit
    pierdere venituri trimestru vânzări grevă fabrică luni marți miercuri joi vineri miliarde milioane leul banca`,
};
