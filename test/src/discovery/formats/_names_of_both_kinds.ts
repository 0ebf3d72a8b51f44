// Names as registrants write them who say nothing else of an author, more than 200 of each kind:
// made up, but of the forms that are in use.

const listed = (text: string) => text.split(/\s*;\s*/).filter((name) => name !== '')

/** Names of groups. */
export const groups: readonly string[] = listed(`
  جامعة المثال; Πανεπιστήμιο Παραδείγματος; אוניברסיטת הדוגמה; मिसाल विश्वविद्यालय;
  มหาวิทยาลัยตัวอย่าง;
  Örnek Üniversitesi; Sveučilište Primjera; Univerzita Příkladů; Esimerkin yliopisto;
  Högskolan i Moss;
  Київський університет; Deutsche Moosgemeinschaft; Moos-Staatsbibliothek; Umweltbundesamt;
  Moss SpA; Moss Ltda; Moss S.A.S.; Moss d.o.o.; ООО Мох; 株式会社例; 苔博物馆; 이끼연구원; United Nations;
  The Mosscount Developers; Lichen Community; Les Amis de la Nature; Mosscount Contributors;
  Moss and Fern Group; Global Moss Office; Department of Soil, Water and Environment;
  World Bank; ATLAS Collaboration; CERN; IPCC; NASA; FAO; OECD; WHO; UNESCO; 3M;
  OpenStreetMap; GitHub; OpenAI; eLichen; Moss.io; Node.js contributors;
  OpenStreetMap contributors; R Core Team; The R Foundation for Statistical Computing;
  Fern Working Group; Working Group on Ferns; Task Force on Peat; Friends of Moss;
  Friends of the Earth; Médecins sans frontières; Verein für Mooskunde;
  Deutsche Gesellschaft für Moose; Moosgesellschaft; Bundesamt für Naturschutz;
  Arbeitskreis Moose; Arbeitsgruppe Flechten; Institut für Mooskunde; Moosforschungsinstitut;
  Freunde der Moose; Stiftung Moosgarten; Universität Musterstadt;
  Technische Hochschule Musterstadt; Akademie der Moose; Zentrum für Moosforschung;
  Ministerium für Umwelt; Naturschutzbehörde Nord; Société botanique de Exempleville;
  Association des amis des mousses; Fondation Mousse; Laboratoire de bryologie;
  Institut national de la mousse; Ministère de la Mousse; Équipe Lichen;
  Groupe de travail Fougères; Réseau des herbiers; Comité des mousses; Conseil des bryologues;
  Bibliothèque de Exempleville; Musée de la mousse; École des mousses;
  Centre de recherche Fougère; Sociedad de Briología; Asociación de Musgos; Fundación Musgo;
  Grupo de Helechos; Equipo Liquen; Ministerio de Musgos; Centro de Estudios del Musgo;
  Comisión de Turberas; Instituto del Musgo; Universidad de Ejemplo; Consejo de Herbarios;
  Biblioteca de Ejemplo; Museo del Musgo; Associação dos Musgos; Fundação Musgo;
  Sociedade de Briologia; Universidade de Exemplo; Instituto dos Musgos; Ministério do Musgo;
  Società di Briologia; Associazione Muschi; Fondazione Muschio; Gruppo Felci;
  Istituto di Briologia; Università di Esempio; Ministero del Muschio; Stichting Mos;
  Vereniging voor Mossen; Werkgroep Mossen; Mosgenootschap Nederland;
  Norsk forening for moser; Stiftelsen Mose; Københavns selskab for moser; Towarzystwo Mchów;
  Uniwersytet Przykładowy; Instytut Mchów; Институт мхов; Общество мхов; Университет примеров;
  Академия мхов; Министерство мхов; 苔藓研究所; 例子大学; 苔学会; 日本苔協会; 苔蘚委員会; 例公司; 이끼연구소; 예시대학교; 苔株式会社;
  Moss Press Ltd; Fern Inc.; Lichen GmbH; Peat LLC; Moss & Sons; Smith & Doe Ltd.;
  Fern Corporation; Peat Company; Moss Industries; Mosscount e. V.; Muschio S.p.A.;
  Bog Limited; Moss Software; Fern Systems; Peat Technologies; Lichen Solutions;
  Bank of Example; Bank of Moss and Fern; Central Bank of Moss; Moss Bank; Peat Bank;
  National Board of Moss; Moss Board; College of Bryologists; Example College; Church of Moss;
  Moss Court; Moss Fund; Global Fund; Fern Gallery; Fern Guild; Moss House; Fern League;
  Moss School; School of Moss; Moss Trust; Peat Trust; Moss Union; European Union; Moss Data;
  Fern Club; Moss Works; Temple of Moss; Moss Clinic; Bryology Clinic; Moss Mission;
  University of Example; Example University; Faculty of Moss; Division of Ferns;
  Bureau of Peat; Office of Moss; Ministry of Moss; Government of Example; Parliament of Moss;
  Council of Herbaria; Moss Council; Commission on Peat; Moss Committee; Committee for Ferns;
  Agency for Lichens; Lichen Agency; Moss Authority; Moss Federation; Fern Confederation;
  Peat Alliance; Moss Coalition; Moss Consortium; Human Moss Project; Project Moss;
  Moss Programme; Moss Initiative; Fern Partnership; Moss Network; Peat Platform; Moss Forum;
  Fern Secretariat; Moss Observatory; Moss Station; Fern Library; Moss Archives; Moss Museum;
  Herbarium of Example; Moss Laboratory; Lichen Labs; Moss Hospital; Moss Study; Fern Survey;
  Peat Experiment; Moss Investigators; Fern Volunteers; Moss Users; Lichen Maintainers;
  The Authors; Moss Editors; Editorial Staff of Moss; Moss Engineers; Moss Team; Team 42;
  Moss 2020; Moss Conference; Congress of Ferns; Workshop on Moss; Moss Movement;
  Peat Volunteers of Example; The Lichen; Der Moosfreund; Les Mousses sans racines;
  Moss Collective; Peat Cleanup Crew; Stadt Musterstadt; Gemeinde Moosdorf; Kanton Moos;
  Royal Botanic Garden; Botanical Garden of Example; Jardín Botánico; UN Women; KU Exempel;
  TU Musterstadt; ETH Musterstadt; Akademie mechů; Univerzita Příkladu; Örnek Üniversitesi;
  Sammalten yliopisto; Lembaga Lumut; Viện Rêu; 国立苔博物館; 例図書館; 苔科学院; 이끼박물관; Библиотека мхов;
  Εταιρεία Βρύων; Moss, Fern & Partners; Peat, S.p.A.; Fern, LLC
`)

/** Names of persons. */
export const persons: readonly string[] = listed(`
  Moss, J.-P.; Fern, C.N.; Fernmoss, JRR; van der Moss, A.-M.; Ngũgĩ wa Moss; Sarah Jane Crew;
  Jane Roe; John Doe; Martin Amis; Kapil Dev; Jane Branch; Roe, Jane; Doe, John;
  Ada Bank; Bank, Ada; Bank, Ada B.; A. Bank;
  Ada B. Bank; Martin Board; Ruth Church; Church, Ruth; John Church; Mary Hall; Hall, Mary;
  Jane House; Peter House; Helen Court; Paul Temple; Temple, Shirley; Anna Press; Ori Press;
  Press, Ori; William Press; Robert College; Thomas School; George Union; Union, George;
  David Banks; Banks, D.; Sarah Trust; J. Fund; J. K. Club; Maria Cloud; Anna Lodge;
  Oliver Lodge; Emma Gallery; Leo Mission; Ludwig van Beethoven; van Beethoven, Ludwig;
  Johann Wolfgang von Goethe; von Goethe, J. W.; Guy Van Den Broeck; Van Den Broeck, Guy;
  Tommaso d’Orsi; d’Orsi, Tommaso; Jean d'Alembert; José Ortega y Gasset;
  Ortega y Gasset, José; Ramon Casa i Puig; João da Silva e Sousa; Maria dos Santos;
  Maria Garcia Lopez; Garcia Lopez, Maria; Gabriel García Márquez; Éva Szőke; Szőke, Éva;
  Nguyễn Văn Bình; Nguyễn, Văn Bình; Thong Thanh Nguyen; Di Hu; Hu, Di; Wei Wang; Wang, Wei;
  山田 太郎; 山田, 太郎; 陈 景润; 김 철수; Иванов, Иван; Иван Иванов; Αλέξανδρος Παπάς; Plato; Wayan;
  Aristotle; Madonna; Martin Luther King, Jr.; King, Martin Luther, Jr.; John Rogers III;
  Sammy Davis Jr.; Jean-Paul Sartre; Sartre, Jean-Paul; Marie Skłodowska-Curie; Zoë O’Neil;
  O’Neil, Zoë; Ian McKay; McKay, Ian; Anna MacDonald; MacDonald, Anna; Leonardo DiCaprio;
  Peter DeVries; DeVries, Peter; McCartney; Anne FitzGerald; Ruth LaRue; Dick VanDyke;
  LeBron Example; Omar ibn Said; Osama bin Example; Ahmed al-Hakim; al-Hakim, Ahmed;
  Fatima El Amrani; Abdul el Sayed; David ben Example; Owain ap Rhys; Willem op den Berg;
  Jan in ’t Veld; Karl zu Guttenberg; Franz von und zu Beispiel; Anna vom Berg; Eva zur Linde;
  Gianni dal Monte; Luca degli Esempi; Maria della Rosa; Rosa dei Fiori;
  Pierre de la Fontaine; de la Fontaine, Pierre; Anne le Roux; Juan de los Ríos;
  Maria de las Casas; Nic Example; Siobhán Ní Bheag; Máire Nic Gearailt; Jane Smith;
  Smith, J.; Smith J; Smith JD; J. D. Smith; J D Smith; JD Smith; Josiah Willard Gibbs;
  J. K. Rowling; J. R. R. Tolkien; R. Maria del Rio; I. Zeki Yalniz; Tatsumi T.; T. Tatsumi;
  ZIYUN LI; Ziyun LI; LI Ziyun; Jean DUPONT; DUPONT Jean; DUPONT, Jean; Ana Müller;
  Müller, Jörg; Jörg Weiß; Łukasiewicz, Żak; Żak Łukasiewicz; Ólafur Jónsson;
  Æsa Þórðardóttir; Çağrı Yılmaz; İpek Şahin; Dvořák, Jiří; Jiří Růžička; Erdős Pál;
  Paul Erdős; Priya Raman; Raman, C. V.; Subrahmanyan Chandrasekhar; S. Chandrasekhar;
  Sri Example; Kumar; Sukarno; Suharto; Björk; bell hooks; danah boyd; e. e. cummings;
  Mark Field; Ann Marsh; Rose Garden; Heather Moss; Moss, Heather; Kate Moss; Fern Moss;
  Fern Example; Forest Whitaker; River Phoenix; Major Example; Dean Example; Earl Example;
  Bishop, Ann; Ann Bishop; Tom Baker; Baker, Tom; Lee Miller; Miller, Lee; Grace Hopper;
  Alan Turing; Emmy Noether; Noether, Emmy; Ada Lovelace; Lovelace, Ada; Charles Babbage;
  Sofja Kowalewskaja; Maria Sibylla Merian; Alexander von Humboldt; von Humboldt, Alexander;
  Carl Friedrich Gauß; Gauß, C. F.; Leonhard Euler; Euler, L.; Pierre-Simon Laplace;
  Chen Ning Yang; Yang, C. N.; Tsung-Dao Lee; Hideki Yukawa; Seung-hyun Kim; Kim, Seung-hyun;
  Min-jun Park; Le Thi Hoa; Kwame Example; Chinua Example; Ngozi Example-Okoro; Thabo Example;
  María José Peña; Peña, María José; Íñigo Núñez; Antônia Gonçalves; Gonçalves, João;
  Les Paul; La Toya Example; Dee Example; Sir Example Roe
`)
