import test from 'ava'

import { readBibtex } from '#src/discovery/citation_files/bibtex_file.ts'
import { splitBibtex } from '#src/discovery/citation_files/bibtex_syntax.ts'

// Entries as programs and people write them, and what of a work they say.
const entries: readonly (readonly [bibtex: string, body: Readonly<Record<string, unknown>>])[] = [
  [
    String.raw`@INPROCEEDINGS{8099, author={He, Kaiming and Zhang, Xiangyu},
    booktitle={2016 IEEE Conference on Computer Vision and Pattern Recognition (CVPR)},
    title={Deep Residual Learning for Image Recognition}, year={2016}, volume={},
    number={}, pages={770-778}, keywords={Training;Degradation;Complexity theory},
    doi={10.1109/CVPR.2016.90}}`,
    { keywords: 'Training, Degradation, Complexity theory', pages: '770-778' },
  ],
  [
    String.raw`@article{m01, title = {{Deep learning in neural networks: An overview}},
    author = {Schmidhuber, J{\"{u}}rgen}, doi = {10.1016/j.neunet.2014.09.003},
    issn = {18792782}, journal = {Neural Networks}, month = {jan}, pages = {85--117},
    url = {http://dx.doi.org/10.1016/j.neunet.2014.09.003}, volume = {61},
    year = {2015}, archivePrefix = {arXiv}, arxivId = {1404.7828}, eprint = {1404.7828},
    file = {:home/x/a.pdf:pdf}, mendeley-groups = {A/B}, isbn = {0893-6080},
    pmid = {25462637}}`,
    {
      work_url: 'https://arxiv.org/abs/1404.7828',
      existing_doi: '10.1016/j.neunet.2014.09.003',
      published_date: '2015-01',
      pages: '85-117',
    },
  ],
  [
    String.raw`@article{z01,
    title = {Some \& thing {\textless}i{\textgreater}in vitro{\textless}/i{\textgreater} at
      5{\textdegree}C},
    volume = {5}, issn = {1234-5679}, shorttitle = {Some},
    url = {https://www.example.org/a_b/c%20d}, doi = {10.1000/xyz_1}, language = {en},
    number = {3}, urldate = {2020-01-02}, journal = {J. Ex.},
    author = {Ruiz-P{\'e}rez, Mar{\'i}a Jos{\'e} and O’Neil, Conor}, month = mar,
    year = {2019}, note = {Number: 3 Publisher: Nature Publishing Group},
    keywords = {Cell biology, Ecology}, pages = {1--10}}`,
    {
      work_title: 'Some & thing in vitro at 5°C',
      authors: 'María José Ruiz-Pérez; Conor O’Neil',
      keywords: 'Cell biology, Ecology',
      published_date: '2019-03',
    },
  ],
  [
    String.raw`@Article{j01, author = {M\"uller, A. and \'{E}mile Borel}, title = {On \textbf{X}},
    journal = {J}, year = {2001}, __markedentry = {[me:6]}, owner = {me},
    timestamp = {2001.02.03}, comment = {read}, groups = {A}, doi = {10.1/x}}`,
    { authors: 'A. Müller; Émile Borel' },
  ],
  [
    String.raw`@article{g01, title={Attention is all you need},
    author={Vaswani, Ashish and Shazeer, Noam and Parmar, Niki and others},
    journal={Advances in neural information processing systems}, volume={30},
    year={2017}}`,
    {
      authors: 'Ashish Vaswani; Noam Shazeer; Niki Parmar',
      container_title: 'Advances in neural information processing systems',
    },
  ],
  [
    String.raw`@inproceedings{acm01, author = {Dean, Jeffrey and Ghemawat, Sanjay},
    title = {MapReduce: simplified data processing on large clusters}, year = {2004},
    publisher = {USENIX Association}, address = {USA},
    booktitle = {Proceedings of the 6th Conference on Symposium on Operating Systems \& More},
    pages = {10}, numpages = {1}, location = {San Francisco, CA}, series = {OSDI'04},
    articleno = {10}, issue_date = {December 2004},
    url = {https://doi.org/10.1145/1327452.1327492}, doi = {10.1145/1327452.1327492},
    isbn = {9781450300001}}`,
    {
      container_title: 'Proceedings of the 6th Conference on Symposium on Operating Systems & More',
      publisher_name: 'USENIX Association',
    },
  ],
  [
    String.raw`@misc{arx01, title={Attention Is All You Need},
    author={Ashish Vaswani and Łukasz Kaiser and Illia Polosukhin}, year={2017},
    eprint={1706.03762}, archivePrefix={arXiv}, primaryClass={cs.CL},
    url={https://arxiv.org/abs/1706.03762}}`,
    {
      work_type: 'preprint',
      work_url: 'https://arxiv.org/abs/1706.03762',
      authors: 'Ashish Vaswani; Łukasz Kaiser; Illia Polosukhin',
    },
  ],
  [
    String.raw`@ARTICLE{2018A&A...616A...1G,
    author = {{Gaia Collaboration} and {Brown}, A.~G.~A. and {Vallenari}, A. and {de Bruijne},
      J.~H.~J.},
    title = "{Gaia Data Release 2. Summary of the contents and survey properties}",
    journal = {\aap},
    keywords = {catalogs, astrometry, Astrophysics - Astrophysics of Galaxies},
    year = 2018, month = aug, volume = {616}, eid = {A1}, pages = {A1},
    doi = {10.1051/0004-6361/201833051}, archivePrefix = {arXiv}, eprint = {1804.09365},
    primaryClass = {astro-ph.GA},
    adsurl = {https://ui.adsabs.harvard.edu/abs/2018A&A...616A...1G},
    adsnote = {Provided by the SAO/NASA Astrophysics Data System}}`,
    {
      authors: 'Gaia Collaboration; A. G. A. Brown; A. Vallenari; J. H. J. de Bruijne',
      container_title: 'Astronomy and Astrophysics',
      pages: 'A1',
      published_date: '2018-08',
      work_url: 'https://arxiv.org/abs/1804.09365',
    },
  ],
  [
    String.raw`@article{DBLP:journals/cacm/Knuth74,
    author = {Donald E. Knuth and Bernhard Sch{\"{o}}lkopf and Wei Wang 0001},
    editor = {John {H. Reif}}, title = {Computer Programming as an Art},
    journal = {Commun. {ACM}}, volume = {17}, number = {12}, pages = {667--673},
    year = {1974}, url = {https://doi.org/10.1145/361604.361612},
    doi = {10.1145/361604.361612}, timestamp = {Tue, 06 Nov 2018 12:51:26 +0100},
    biburl = {https://dblp.org/rec/journals/cacm/Knuth74.bib},
    bibsource = {dblp computer science bibliography, https://dblp.org}}`,
    { authors: 'Donald E. Knuth; Bernhard Schölkopf; Wei Wang', container_title: 'Commun. ACM' },
  ],
  [
    String.raw`@article{Aad:2012tfa, author = "Aad, Georges and others", collaboration = "ATLAS",
    title = "{Observation of a new particle in the search for the Standard Model Higgs boson
      with the ATLAS detector at the LHC}",
    eprint = "1207.7214", archivePrefix = "arXiv", primaryClass = "hep-ex",
    reportNumber = "CERN-PH-EP-2012-218", doi = "10.1016/j.physletb.2012.08.020",
    journal = "Phys. Lett. B", volume = "716", pages = "1--29", year = "2012"}`,
    {
      authors: 'Georges Aad',
      work_type: 'article',
      existing_doi: '10.1016/j.physletb.2012.08.020',
      work_url: 'https://arxiv.org/abs/1207.7214',
    },
  ],
  [
    String.raw`@article{pm01, Author = {Smith, J A and Jones, B}, Title = {A trial.},
    Journal = {Lancet}, Year = {2010}, Pages = {12-5}, Volume = {376}, Number = {9734},
    Pmid = {20609999}, Pst = {ppublish}, Date-Added = {2010-01-01},
    Bdsk-Url-1 = {http://x}, Doi = {10.1016/S0140-6736(10)60001-1}}`,
    { authors: 'J A Smith; B Jones', pages: '12-5', existing_doi: '10.1016/s0140-6736(10)60001-1' },
  ],
  [
    String.raw`@Inbook{Sp2011, author="Meyer, Jane and Stra{\ss}er, Karl",
    editor="Bo, A. and Li, C.", title="Chapter of It",
    bookTitle="Handbook of It: Third Edition", year="2011",
    publisher="Springer Berlin Heidelberg", address="Berlin, Heidelberg", pages="1--19",
    abstract="Text of the chapter.", isbn="978-3-642-00000-0",
    doi="10.1007/978-3-642-00000-0_1",
    url="https://doi.org/10.1007/978-3-642-00000-0_1"}`,
    {
      work_type: 'book_chapter',
      container_title: 'Handbook of It: Third Edition',
      authors: 'Jane Meyer; Karl Straßer',
    },
  ],
  [
    String.raw`@article{EL2020100001, title = {A new thing}, journal = {Journal of Things},
    volume = {12}, pages = {100001}, year = {2020}, issn = {2352-3409},
    doi = {https://doi.org/10.1016/j.dib.2020.100001},
    url = {https://www.sciencedirect.com/science/article/pii/S2352340920300010},
    author = {Ana María López and Bo Li}, keywords = {One, Two words, Three},
    abstract = {Background First. Methods Second.}}`,
    {
      existing_doi: '10.1016/j.dib.2020.100001',
      work_url: 'https://www.sciencedirect.com/science/article/pii/S2352340920300010',
      authors: 'Ana María López; Bo Li',
      description: 'Background First. Methods Second.',
    },
  ],
  [
    String.raw`@misc{l01, title={T},
    author={{\'e}mile Zola and Mart{\'{\i}}n, A and Ka{\v{c}}, B and Wei{\ss}, C and {\O}rsted,
      D and \AA kesson, E and M{\"u}ller, F and Gar\c con, G and Erd\H{o}s, P and \.Ismail, H
      and Erdo\u{g}an, I}}`,
    {
      authors:
        'émile Zola; A Martín; B Kač; C Weiß; D Ørsted; E Åkesson; F Müller; G Garçon; ' +
        'P Erdős; H İsmail; I Erdoğan',
    },
  ],
  [
    String.raw`@misc{l02,
    title={Na\"{\i}ve fa\c{c}ade, {\AE}sir, \oe uvre, \ae{}on, \l{}\'od\'z, \o re, {\ng}a,
      \k{a}, \d{s}, \b{d}, \r{u}, \t{oo}, Stra\ss{}e, stra{\ss}e, \i, \j}}`,
    {
      work_title:
        'Naïve façade, Æsir, œuvre, æon, łódź, øre, ŋa, ą, ṣ, ḏ, ů, o͡o, Straße, straße, ı, ȷ',
    },
  ],
  [
    `@misc{l03, title={\\"{a}\\"o\\"{U}\\^{\\i}\\~n\\\`a\\'A\\=o\\.z\\u g\\v s\\c{t}\\~{}}}`,
    { work_title: 'äöÜîñàÁōżğšţ~' },
  ],
  [
    String.raw`@misc{l05,
    title={$\alpha$-helix of H$_2$O, CO$_{2}$, $^{14}$C, $x^{n+1}$, \textsuperscript{137}Cs,
      $\beta_1$, $10^{-3}$, $\mathrm{SO}_4^{2-}$, $\sqrt{s}=13$ TeV, $p\bar{p}$, $\rightarrow$}}`,
    { work_title: 'α-helix of H₂O, CO₂, ¹⁴C, xⁿ⁺¹, ¹³⁷Cs, β₁, 10⁻³, SO₄²⁻, √s=13 TeV, pp̄, →' },
  ],
  [
    String.raw`@misc{l06,
    title={{\em Drosophila} and \textit{E. coli}, {\it Homo}, {\bf B}, \texttt{code},
      \uppercase{abc}, \mbox{x}}}`,
    { work_title: 'Drosophila and E. coli, Homo, B, code, ABC, x' },
  ],
  [
    String.raw`@misc{n01, title={T},
    author={von Neumann, John and de la Cruz, Juan and King, Jr., Martin Luther and King, III,
      Martin L. and Smith, Jane, PhD and Ludwig van Beethoven and Charles Louis Xavier Joseph
      de la Vall{\'e}e Poussin and Sammy Davis Jr. and Henry Ford III}}`,
    {
      author_details: [
        { name: 'John von Neumann', given: 'John', family: 'von Neumann' },
        { name: 'Juan de la Cruz', given: 'Juan', family: 'de la Cruz' },
        { name: 'Martin Luther King Jr.', given: 'Martin Luther', family: 'King', suffix: 'Jr.' },
        { name: 'Martin L. King III', given: 'Martin L.', family: 'King', suffix: 'III' },
        { name: 'Jane Smith', given: 'Jane', family: 'Smith' },
        { name: 'Ludwig van Beethoven', given: 'Ludwig', family: 'van Beethoven' },
        {
          name: 'Charles Louis Xavier Joseph de la Vallée Poussin',
          given: 'Charles Louis Xavier Joseph',
          family: 'de la Vallée Poussin',
        },
        { name: 'Sammy Davis Jr.', given: 'Sammy', family: 'Davis', suffix: 'Jr.' },
        { name: 'Henry Ford III', given: 'Henry', family: 'Ford', suffix: 'III' },
      ],
    },
  ],
  [
    String.raw`@misc{n02, title={T},
    author={{World Health Organization} and {United Nations Educational, Scientific and
      Cultural Organization (UNESCO)} and {R Core Team} and R Core Team}}`,
    {
      authors:
        'World Health Organization; ' +
        'United Nations Educational, Scientific and Cultural Organization (UNESCO); ' +
        'R Core Team; R Core Team',
    },
  ],
  [
    String.raw`@misc{n03, title={T}, author={Smith, J. and Doe, J. and et al.}}`,
    { authors: 'J. Smith; J. Doe' },
  ],
  [
    String.raw`@misc{n04, title={T}, author={J. Smith, A. Doe, and B. Li}}`,
    { authors: 'J. Smith; A. Doe; B. Li' },
  ],
  [
    String.raw`@misc{n05, title={T}, author={Smith, John; Doe, Jane}}`,
    { authors: 'John Smith; Jane Doe' },
  ],
  [
    String.raw`@misc{n06, title={T},
    author={O'Connor, Se{\'a}n and D'Angelo, Anna and d'Alembert, Jean and McDonald, Ian and
      El-Baz, Farouk and {\'O} S{\'e}, D}}`,
    {
      authors: "Seán O'Connor; Anna D'Angelo; Jean d'Alembert; Ian McDonald; Farouk El-Baz; D Ó Sé",
    },
  ],
  [
    String.raw`@misc{n07, title={T}, author={李明 and 山田, 太郎 and Иванов, Иван Иванович}}`,
    { authors: '李明; 山田 太郎; Иван Иванович Иванов' },
  ],
  [
    String.raw`@misc{n08, title={T},
    author={Jean-Paul Sartre and J.-P. Serre and JP Morgan and Kim Jong-un and Mao Zedong}}`,
    { authors: 'Jean-Paul Sartre; J.-P. Serre; JP Morgan; Kim Jong-un; Mao Zedong' },
  ],
  [
    String.raw`@misc{n09, title={T},
    author={Maria {de} Souza and Jos{\'e} Ortega y Gasset and Leonardo {da Vinci} and {van}
      Gogh, Vincent}}`,
    {
      author_details: [
        { name: 'Maria de Souza', given: 'Maria de', family: 'Souza' },
        { name: 'José Ortega y Gasset', given: 'José', family: 'Ortega y Gasset' },
        { name: 'Leonardo da Vinci', given: 'Leonardo', family: 'da Vinci' },
        { name: 'Vincent van Gogh', given: 'Vincent', family: 'van Gogh' },
      ],
    },
  ],
  [
    String.raw`@misc{n10, title={T},
    author={Dr. Jane Smith and Prof. Karl Meier and Anna Berg, M.D. and Otto Graf, Dr.}}`,
    { authors: 'Jane Smith; Karl Meier; Anna Berg; Otto Graf' },
  ],
  [
    String.raw`@misc{n12, title={T}, author={Andersen, Hans and Land, Andy and Brand, And}}`,
    { authors: 'Hans Andersen; Andy Land; And Brand' },
  ],
  [
    String.raw`@misc{n13, title={T}, author = {Barnes \& Noble and {Procter and Gamble}}}`,
    { authors: 'Barnes & Noble; Procter and Gamble' },
  ],
  [
    String.raw`@misc{d03, title={T}, year=2020, month=dec # "~5"}`,
    { published_date: '2020-12-05' },
  ],
  [
    String.raw`@misc{d04, title={T}, year=2020, month="5~" # dec}`,
    { published_date: '2020-12-05' },
  ],
  [String.raw`@misc{d06, title={T}, year={2020a}}`, { published_date: '2020' }],
  [
    String.raw`@misc{d08, title={T}, date={2020-05-06/2020-05-09}}`,
    { published_date: '2020-05-06' },
  ],
  [String.raw`@misc{d10, title={T}, year={2020}, month={jan-feb}}`, { published_date: '2020-01' }],
  [String.raw`@misc{d12, title={T}, year={{2019}}, month={{Sep}}}`, { published_date: '2019-09' }],
  [String.raw`@misc{d13, title={T}, year={[1999]}}`, { published_date: '1999' }],
  [
    String.raw`@misc{d15, title={T}, year={2018}, month={July/August}}`,
    { published_date: '2018-07' },
  ],
  [
    String.raw`@misc{h01, title={T}, howpublished = {\url{https://example.org/a_b~c}},
      year=2020}`,
    { work_url: 'https://example.org/a_b~c' },
  ],
  [
    String.raw`@misc{h02, title={T}, howpublished = {Available at \url{https://example.org/x}},
    year=2020}`,
    { work_url: 'https://example.org/x' },
  ],
  [
    String.raw`@misc{h03, title={T}, howpublished = "\href{https://example.org/x}{the page}",
    year=2020}`,
    { work_url: 'https://example.org/x' },
  ],
  [
    String.raw`@misc{h04, title={T}, note = {arXiv:1706.03762}, year=2020}`,
    { work_type: 'preprint', work_url: 'https://arxiv.org/abs/1706.03762' },
  ],
  [
    String.raw`@article{h06, title={T}, journal={arXiv preprint arXiv:1706.03762}, year={2017}}`,
    {
      work_type: 'preprint',
      work_url: 'https://arxiv.org/abs/1706.03762',
      container_title: 'arXiv preprint arXiv:1706.03762',
    },
  ],
  [
    String.raw`@article{h07, title={T}, journal={CoRR}, volume={abs/1706.03762}, year={2017},
    eprinttype={arXiv}, eprint={1706.03762}}`,
    { work_type: 'preprint', work_url: 'https://arxiv.org/abs/1706.03762' },
  ],
  [
    String.raw`@misc{h08, title={T}, note={\url{https://example.org/z}}}`,
    { work_url: 'https://example.org/z' },
  ],
  [
    String.raw`@misc{h09, title={T}, url={https://example.org/?a=1\&b=2\#frag}}`,
    { work_url: 'https://example.org/?a=1&b=2#frag' },
  ],
  [
    String.raw`@misc{h10, title={T}, url={http://example.org/{\~{}}me/}, doi={doi:10.1000/182}}`,
    { work_url: 'http://example.org/~me/', existing_doi: '10.1000/182' },
  ],
  [
    String.raw`@misc{h14, title={T}, eprint={hep-th/9711200}, archiveprefix={arXiv}}`,
    { work_type: 'preprint', work_url: 'https://arxiv.org/abs/hep-th/9711200' },
  ],
  [
    String.raw`@misc{h16, title={T}, eprint={10.2307/123}, eprinttype={jstor},
    url={https://www.jstor.org/stable/123}}`,
    { work_url: 'https://www.jstor.org/stable/123' },
  ],
  [
    String.raw`@article{s01, title = {Trailing comma}, year = 2020, }`,
    { work_title: 'Trailing comma' },
  ],
  [
    String.raw`@article{s02 title = {No comma after key}, year = 2020}`,
    { work_title: 'No comma after key' },
  ],
  [
    String.raw`@article{s03, title = {No comma} year = 2020, author={A B}}`,
    { work_title: 'No comma', authors: 'A B' },
  ],
  [
    String.raw`@article{s04, title {No equals}, year = 2020}`,
    { work_title: 'No equals', published_date: '2020' },
  ],
  [
    String.raw`@article{s08, title = "Quote {"}in{"} braces", year = "2020"}`,
    { work_title: 'Quote "in" braces' },
  ],
  [String.raw`@article{s11, title = {A}, pages = 12--15, year = 2020}`, { pages: '12-15' }],
  [String.raw`@ARTICLE(s14, title = {Parens}, year = 2020)`, { work_title: 'Parens' }],
  [String.raw`@article{s16, title = {Two commas},, year = 2020}`, { published_date: '2020' }],
  [String.raw`@article{s17, title: {Colon}, year = 2020}`, { work_title: 'Colon' }],
  [
    String.raw`@article{s20, title = {A}, pages = {e1--e10}, number={1-2}, volume={{12}}}`,
    { pages: 'e1-e10', issue: '1-2', volume: '12' },
  ],
  [String.raw`@article{s21, title = {A}, pages = {pp. 1–10}}`, { pages: '1-10' }],
  [String.raw`@article{s22, title = {A}, pages = {1, 3--5, 7+}}`, { pages: '1, 3-5, 7+' }],
  [String.raw`@article{s23, title = {A}, pages = {1−10}}`, { pages: '1-10' }],
  [String.raw`@article{s24, title = {A}, pages = {--}}`, { pages: undefined }],
  [
    String.raw`@phdthesis{t01, title = {A}, school = {MIT}, type={Master's thesis}, year=2001}`,
    { work_type: 'thesis' },
  ],
  [
    String.raw`@software{t04, title = {A}, version = {1.2}, publisher={Zenodo}, year=2001}`,
    { work_type: 'software', publisher_name: 'Zenodo' },
  ],
  [
    String.raw`@techreport{t06, title = {A}, institution={NASA}, number={TR-1}, year=2001,
    type={Working Paper}}`,
    { work_type: 'working_paper', publisher_name: 'NASA', issue: 'TR-1' },
  ],
  [
    String.raw`@book{t07, title = {A}, subtitle={B}, series={LNCS}, volume={5}, edition={2nd},
    publisher={P}}`,
    {
      work_title: 'A',
      titles: [{ title: 'B', kind: 'subtitle' }],
      container_title: 'LNCS',
      volume: '5',
      edition: '2nd',
    },
  ],
  [
    String.raw`@techreport{t08, title = {A}, series={Notes of X}, number={3}, year=2001}`,
    { container_title: 'Notes of X', issue: '3' },
  ],
  [
    String.raw`@article{t09, title = {A}, journal={J}, series={2}, year=2001}`,
    { container_title: 'J' },
  ],
  [
    '@proceedings{t14, title={Moss 2020}, booktitle={Proceedings of Moss}, editor={E F}}',
    { work_title: 'Moss 2020', container_title: undefined },
  ],
  ['@proceedings{t15, booktitle={Only this}, editor={E F}}', { work_title: 'Only this' }],
  [
    '@inbook{t16, crossref={b}, chapter={6}, doi={10.1/x}}\n@book{b, title={B}, author={A B}}',
    { work_title: 'B', container_title: undefined, chapter_number: '6' },
  ],
  [
    '@collection{t17, title={Volume 3}, maintitle={Works}, volume={3}, editor={E F}}',
    { container_title: 'Works', volume: '3' },
  ],
  [
    '@manual{t18, title={How}, organization={Moss Office}}',
    { authors: 'Moss Office', publisher_name: 'Moss Office' },
  ],
  [
    String.raw`@misc{t19, title={T}, author={A B}, note={\url{https://example.org/\~{}u}}}`,
    { work_url: 'https://example.org/~u' },
  ],
  [
    String.raw`@incollection{t13, title = {A}, booktitle={B}, booksubtitle={C}, editor={E F}}`,
    { container_title: 'B: C', authors: 'E F' },
  ],
  [
    '@phdthesis{t20, title={Moss}, booktitle={Moss}, author={A B}, year={1998/9}}',
    { container_title: undefined, published_date: '1998' },
  ],
  ['@string{1st = {First}}\n@article{t21, title={T}, journal=1st}', { container_title: 'First' }],
]

test.serial('entries are read as the programs that wrote them mean them', (t) => {
  for (const [bibtex, body] of entries) {
    const [entry] = readBibtex(splitBibtex(bibtex))
    t.like(entry?.body, body, bibtex)
  }
})

test('what of a field is not taken as it stands is told', (t) => {
  const told: readonly (readonly [fields: string, message: string])[] = [
    ['date={2020-05~}', 'date "2020-05~" is taken as 2020-05: it is not certain.'],
    ['month=jan', 'date "jan" is left out: no date can be read from it.'],
    ['doi={10.1000/a b}', 'doi: "b" is left out; 10.1000/a is taken.'],
    ['pages={--}', 'pages "-" is left out: it is no page.'],
    ['eprint={1234}', 'eprint is left out: no field fits.'],
    ['doi={10.1000/a.}', 'doi: the DOI ends with a full stop, as few do; it is kept.'],
    [
      'year={1998/9}',
      'date "1998/1999" is taken as 1998: it is a range, of which the start is taken.',
    ],
    ['journal=jc', 'The file does not say what phys stands for, so that jc is without it.'],
    [
      String.raw`author={Jane Doe\thanks{x}}`,
      String.raw`author has LaTeX that is no text, and stays or is dropped: \thanks{x}.`,
    ],
  ]
  for (const [fields, message] of told) {
    const macro = '@string{jc = "J. Chem. " # phys}'
    const [entry] = readBibtex(splitBibtex(`${macro}\n@misc{k, title={T}, ${fields}}`))
    t.true(
      entry?.notes.some((note) => note.message === message),
      fields,
    )
  }
})
