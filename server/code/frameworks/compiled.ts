import type { FrameworkEntry } from './framework';

const goHint =
  /\bgolang\b|\b[Gg]o(?:\s+(?:app|api|server|service|program|project|module|package|code|file|web|language|backend|microservice)|-based|(?=\s*[.,;:)]|\s+with|\s+using|\s*$))/;
const go = {
  language: 'go',
  role: 'server',
  entry: 'main.go',
  extensions: ['.go'],
  routes: 'literal',
} as const;
const rust = {
  language: 'rust',
  role: 'server',
  entry: 'src/main.rs',
  extensions: ['.rs'],
  routes: 'literal',
} as const;

/** Frameworks of Go, Rust, Java and Ruby. */
export const compiledFrameworks: readonly FrameworkEntry[] = [
  {
    name: 'Gin',
    aliases: ['gin gonic'],
    ...go,
    importText: 'github.com/gin-gonic/gin',
    imports: [/"github\.com\/gin-gonic\/gin(?:\/[\w/]{1,80})?"/],
    guard: {
      other: {
        before: /\b(?:cotton|sloe)\s+$/i,
        after:
          /^\s+(?:rummy|index(?:es)?|indices|tonic|and\s+tonic|cocktails?|drinks?|bottles?|distillery|brands?)\b/i,
      },
      word: { before: /\b(?:of|oxygen|bottle)\s+$/i, after: /^\s+(?:and|bar|recipes?|menu)\b/i },
      hint: goHint,
    },
  },
  {
    name: 'Echo',
    aliases: ['labstack echo'],
    ...go,
    importText: 'github.com/labstack/echo',
    imports: [/"github\.com\/labstack\/echo(?:\/[\w/]{1,80})?"/],
    guard: {
      other: { after: /^\s+(?:chamber|effect|cancellation|location|dot)\b/i },
      word: {
        before:
          /\b(?:to|must|should|can|will|could|would|tcp|udp|socket|websocket|and|not|that|then|simple)\s+$/i,
        after:
          /^\s+(?:the|back|a|an|what|it|its|input|each|every|all|your|whatever|requests?|bot|command|client|statement|messages?|lines?|text|server|service|endpoint|handler|test|route|api|program|function|tool)\b/i,
      },
      hint: goHint,
    },
  },
  {
    name: 'Fiber',
    aliases: ['go fiber', 'gofiber'],
    ...go,
    importText: 'github.com/gofiber/fiber',
    imports: [/"github\.com\/gofiber\/fiber(?:\/[\w/]{1,80})?"/],
    guard: {
      other: {
        before: /\b(?:optical|dietary|muscle|react|carbon|textile)\s+$/i,
        after:
          /^\s+(?:optics?|optic|intake|networks?|content|cables?|internet|channel|bundles?|per|supplements?)\b/i,
      },
      word: {
        before: /\b(?:high|glass|of|and)\s+$/i,
        after: /^\s+(?:to|tracker|scheduler|in|goals?|counter)\b/i,
      },
      hint: goHint,
    },
  },
  {
    name: 'Actix',
    aliases: ['actix web', 'actix_web'],
    ...rust,
    importText: 'actix_web',
    imports: [/\bactix_web\b/, /\buse\s{1,40}actix\b/],
  },
  {
    name: 'Rocket',
    aliases: ['rocket.rs'],
    ...rust,
    importText: 'rocket',
    imports: [
      /\buse\s{1,40}rocket\b/,
      /\bextern\s{1,40}crate\s{1,40}rocket\b/,
      /\brocket::(?:build|ignite|launch|main|get|post|routes)\b/,
      /#\[rocket::/,
    ],
    guard: {
      other: {
        before: /\b(?:toy|space|pocket|bottle|model|water|sky|falcon|the)\s+$/i,
        after:
          /^\s+(?:launch(?:es|er|ing)?|ships?|emoji|games?|simulat\w{1,5}|engines?|science|fuel|icon|equation|trajector\w{1,3}|stages?|class|landing|motor|company|companies|countdown|object|physics|sprite|league|animation|telemetry|parts?)\b/i,
      },
      word: { before: /\b(?:and|of)\s+$/i, after: /^\s+(?:to|that|which|flies)\b/i },
      hint: /\brust\b|\bcargo\b/i,
    },
  },
  {
    name: 'Axum',
    aliases: [],
    ...rust,
    importText: 'axum',
    imports: [
      /\buse\s{1,40}(?:axum|axum_extra)\b/,
      /\baxum::(?:Router|serve|extract|routing|response)\b/,
    ],
  },
  {
    name: 'Spring',
    aliases: ['spring boot', 'spring mvc', 'spring webflux', 'spring framework'],
    language: 'java',
    role: 'server',
    entry: 'Application.java',
    extensions: ['.java', '.kt', '.groovy'],
    importText: 'org.springframework',
    imports: [/\bimport\s{1,40}(?:static\s{1,40})?org\.springframework\./],
    routes: 'literal',
    guard: {
      other: {
        before: /\b(?:hot|coil|damped|react)\s+$/i,
        after:
          /^\s+(?:animations?|physics|constants?|break|season|cleaning|sale|semester|flowers?|festival|into|forward|mass|simulation|20\d\d|term|collection|catalog(?:ue)?|menu|garden|equinox|force|layout|mattress|system)\b/i,
      },
      word: {
        before: /\b(?:in|this|next|last|early|late|the|each|every|to|and|of)\s+$/i,
        after: /^\s+(?:of|schedule|that|planting|newsletter)\b/i,
      },
      hint: /\bjava\b|\bkotlin\b|\bmaven\b|\bgradle\b/i,
    },
  },
  {
    name: 'Rails',
    aliases: ['ruby on rails', 'ror'],
    language: 'ruby',
    role: 'server',
    entry: 'config/routes.rb',
    extensions: ['.rb', '.erb'],
    importText: null,
    imports: [
      /\bRails\.(?:application|root|env|logger|cache)\b/,
      /<\s{0,10}(?:Application(?:Controller|Record)|ActiveRecord::Base|ActionController::\w{1,20})\b/,
      /\brequire\s{1,10}['"]rails/,
    ],
    signs: { path: /(?:^|\/)(?:app\/(?:controllers|models|views)\/|config\/routes\.rb$)/ },
    routes: 'slashless',
    guard: {
      other: { before: /\b(?:guard|hand|train|curtain|safety)\s+$/i },
      word: { before: /\b(?:the|off|of|and|on)\s+$/i, after: /^\s+(?:of|for|along|and)\b/i },
      hint: /\bruby\b/i,
    },
  },
];
