/**
 * Words of requests in English, German, French and Spanish, and characters of Chinese ones. Only
 * sets and patterns: a further language is one more row of words.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Imperatives that order a creation (QEL-1). */
export const creationVerbs =
  /(?<![\wÀ-ÿ/.-])(?:create|write|generate|build|implement|scaffold|make|develop|bootstrap|set\s?up|erstell(?:e|en|t)?|schreib(?:e|en|t)?|bau(?:e|en)|implementier(?:e|en)|generier(?:e|en)|entwick(?:le|eln)|programmier(?:e|en)|erzeug(?:e|en)|crée[rz]?|créer|écri(?:s|re|vez)|génér(?:er|ez)|génère|constru(?:is|ire|isez|ye|ir)|implémente[rz]?|développe[rz]?|crea|crear|escrib(?:e|ir)|genera|generar|implementa|implementar|desarrolla|desarrollar|haz|crie|criar|escreva|escrever|gere|implemente|scrivi)(?![\wÀ-ÿ/-])|创建|编写|生成|实现|构建|搭建|开发|写/gi;

/** German puts the verb last, so the artifact precedes these verbs. */
export const verbLast =
  /^(?:erstellen|schreiben|bauen|implementieren|generieren|entwickeln|programmieren|erzeugen)$/i;

/** Words for code (QEL-1). */
export const artifacts = words(
  'file files script scripts component components endpoint endpoints app apps application applications api apis server servers service ' +
    'services microservice microservices backend back-end frontend front-end module modules class classes function functions method methods ' +
    'package packages library libraries program programs page pages webpage website websites site webapp test tests suite project projects ' +
    'cli tool tools bot bots game schema schemas migration migrations model models controller controllers route routes router handler ' +
    'handlers middleware hook hooks utility utilities helper helpers parser parsers query queries mutation mutations action actions crud ' +
    'dashboard form forms template templates config configuration dockerfile makefile workflow plugin plugins extension extensions webhook ' +
    'interface interfaces struct structs enum trait crate algorithm calculator crawler scraper client sdk wrapper implementation code snippet ' +
    'stylesheet view views widget modal decorator generator converter validator scheduler worker daemon prototype boilerplate skeleton starter ' +
    'tracker clone editor viewer simulator compiler interpreter linter counter timer stopwatch calendar gallery portfolio navbar navigation ' +
    'sidebar header footer button login authentication chat chatbot queue stack tree graph server-side todo to-do shop blog forum wiki ' +
    'repository directory folder regex html css json yaml sql type types datei dateien skript skripte programm komponente komponenten ' +
    'endpunkt endpunkte anwendung klasse klassen funktion funktionen methode methoden modul module seite webseite schnittstelle dienst test ' +
    'tests projekt werkzeug vorlage fichier fichiers composant composants classe classes fonction fonctions méthode serveur programme ' +
    'bibliothèque projet route routes outil archivo archivos fichero ficheros componente componentes clase clases función funciones ' +
    'funcion servidor aplicación aplicacion programa página pagina módulo modulo biblioteca proyecto arquivo arquivos função funções aplicativo aplicação funzione funzioni pagina applicazione prueba pruebas ruta rutas herramienta',
);

/** Artifacts that are not code, even if they are about code. */
export const otherThings = words(
  'post posting caption documentation docs poem essay list summary plan email mail letter article story novel review report overview description explanation comparison ' +
    'schedule diagram name names idea ideas joke song presentation slide slides budget agenda message tweet advert proposal question ' +
    'questions answer meeting invite invitation note notes recipe speech translation sentence paragraph text issue ticket commit branch sure ' +
    'sense gedicht geschichte brief liste zusammenfassung übersicht poème histoire lettre résumé poema cuento carta lista resumen',
);

/** Words that end the phrase naming the artifact. */
export const phraseEnds = words(
  'what how why whether of about for that which who whose to with from on by using so because where when while if in into as at called named over under inside ' +
    'without like via than über mit für von aus das die der den dem auf in zum zur namens qui que pour avec de du des dans sur depuis ' +
    'para con sobre en desde cuyo',
);

/** Words allowed between the verb and the artifact. */
export const phraseSkips = words(
  'in with using for into under inside via mit für in dans avec pour en con para das die der den dem',
);
/** Words allowed before a file. */
export const phraseTargets = words('in into to as at called named inside namens dans en');

/** Implementation languages. */
export const languageNames = words(
  'python javascript typescript java kotlin go golang rust ruby php swift c c++ c# scala haskell elixir dart lua perl julia r bash sql ' +
    'solidity node node.js html css assembly zig',
);

export const chineseArtifacts =
  /文件|脚本|组件|接口|端点|应用|程序|函数|方法|类|模块|网站|网页|页面|服务|项目|测试|工具|插件|爬虫|游戏|算法|系统|平台|机器人|按钮|表单|路由|中间件|计算器|命令行|网络|库|代码|API|app/i;

/** Openings of a read-intent request (QEL-2), after greetings and punctuation are removed. */
export const readIntent = new RegExp(
  '^(?:' +
    [
      String.raw`(?:what|what['’]s|whats|how|why|where|which|who|whose|is|are|was|were|does|did|has|should|list|explain|describe|summari[sz]e)(?![\w-])`,
      String.raw`(?:show|tell|give)\s+(?:me|us)\b(?!\s+a\s+(?:script|file|function))`,
      String.raw`(?:do|have)\s+(?:you|we|i|they)\b`,
      String.raw`(?:can|could|may|should)\s+(?:i|we)\b`,
      String.raw`(?:can|could|would|will)\s+you\s+(?:please\s+|also\s+)?(?:show|tell|explain|describe|list|summari[sz]e)\b`,
      String.raw`(?:wie|wo|warum|wieso|weshalb|wer|wann|welche[rsnm]?|zeig[et]?|erklär[et]?|beschreib[et]?|liste|nenne|gibt\s+es)(?![\wÀ-ÿ])`,
      String.raw`(?:kannst|könntest)\s+du\s+(?:mir\s+)?(?:bitte\s+)?(?:zeigen|erklären|sagen)`,
      String.raw`qu['’]est|(?:que|quoi|quel(?:le)?s?|pourquoi|où|combien|montre[rz]?|explique[rz]?|décri[st]|liste[rz]?|est-ce|qui)(?![\wÀ-ÿ])`,
      String.raw`comment\s+(?:je|on|puis|peut|peux|est|fonctionne|[a-zà-ÿ]{2,20}(?:er|ir|re))(?![\wÀ-ÿ])`,
      String.raw`(?:qué|cómo|cuánt[oa]s?|cuál(?:es)?|dónde|por\s+qué|quién|muéstrame|muestra|muéstra|explica(?:me)?|explícame|describe|lista)(?![\wÀ-ÿ])`,
      '什么|怎么|如何|为什么|多少|有多少|哪|显示|解释|说明|请问|列出|展示|是否|谁',
    ].join('|') +
    ')',
  'i',
);

/** Greetings and polite words before a request. */
export const greeting =
  /^(?:[^\p{L}\p{N}]{0,40}(?:hi|hello|hey|hallo|bonjour|salut|hola|there|please|bitte|ok|okay|so|well|thanks|now|good\s(?:morning|evening|day)|moin|everyone|team|all)(?![\p{L}\p{N}'’]))*[^\p{L}\p{N}]*/iu;

/** Right before a verb: the verb mentions or forbids a creation and orders none. */
export const noOrder =
  /(?:\b(?:not|never|without|nicht|ne|no|n['’]t|how|used|fails?|failed|tries|tried|trying|unable|supposed|meant|designed|that|which|who|they|can['’]t|cannot|where|when|if|once|while|read)(?:\s+(?:to|we|you|i|they|it|users?|be|and|man|will|would))?|n['’]t|(?:wie|how|comment|cómo)\s+(?:man|to|do|can|should|would)(?:\s+(?:i|we|you|one))?)\s+$/i;
/** Right after a verb: the verb is a noun, or requests a change to an existing thing. */
export const nounAfter =
  /^\s+(?:fails?|failed|failing|is|was|are|errors?|broke|broken|breaks|passes|steps?|times?|logs?|access|permissions?|locks?)\b/i;
/**
 * "Make" creates something new to the conversation: a script, some tests; "make the file smaller"
 * does not.
 */
export const makesNew =
  /^\s+(?:me\s+|us\s+|up\s+)?(?:an?|some|new|another|two|three|four|five|several|\d{1,2})\b/i;
/** Kinds of lists that are programs. */
export const programList = /\b(?:to-?do|linked|task|shopping|skip)\s+lists?\b/i;
/** Right before "build", "make" or "scaffold": the verb is a noun. */
export const nounBefore =
  /\b(?:the|a|an|this|that|our|your|my|its|last|next|failing|failed|nightly|docker|npm|yarn|pnpm|bun|run|each|every|production|release|clean|broken|ci|full|old|new|gnu)\s+$/i;
