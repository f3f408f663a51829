import type { FrameworkEntry } from './framework';

const scripts = ['.js', '.ts', '.mjs', '.cjs', '.mts', '.cts'];
const views = ['.jsx', '.tsx', '.js', '.ts'];
const hint = /\b(?:node(?:\.?js)?|javascript|typescript|js|ts|npm|bun|deno)\b/i;

/**
 * Forms of loading a module with this name or one below it: static and dynamic imports, `require`,
 * re-exports. A type-only import loads nothing and is not a use of a framework.
 */
function loads(specifier: string): readonly RegExp[] {
  return [
    new RegExp(
      String.raw`\bimport\s{1,40}(?!\s{0,39}type\b)[^'";()]{1,400}?\bfrom\s{0,40}['"](?:${specifier})['"]`,
    ),
    new RegExp(String.raw`\bimport\s{0,40}['"](?:${specifier})['"]`),
    new RegExp(String.raw`\b(?:require|import)\s{0,40}\(\s{0,40}['"](?:${specifier})['"]`),
    new RegExp(
      String.raw`\bexport\s{1,40}(?!\s{0,39}type\b)[^'";()]{1,400}?\bfrom\s{0,40}['"](?:${specifier})['"]`,
    ),
  ];
}

/** Frameworks of JavaScript and TypeScript that serve requests. */
export const serverFrameworks: readonly FrameworkEntry[] = [
  {
    name: 'Express',
    aliases: ['express.js', 'express js', 'expressjs'],
    language: 'javascript',
    role: 'server',
    entry: 'server.js',
    typedEntry: 'server.ts',
    extensions: scripts,
    importText: 'express',
    // Other frameworks (NestJS) describe a request by named imports of its types.
    imports: [
      /\bimport\s{1,40}(?!\s{0,39}type\b)(?:\*\s{0,40}as\s{1,40})?[\w$]{1,80}(?:\s{0,40},\s{0,40}\{[^}'"]{0,400}\})?\s{1,40}from\s{0,40}['"]express['"]/,
      /\bimport\s{0,40}\{[^}'"]{0,400}\b(?:Router|json|urlencoded|static)\b[^}'"]{0,400}\}\s{0,40}from\s{0,40}['"]express['"]/,
      /\b(?:require|import)\s{0,40}\(\s{0,40}['"]express['"]/,
    ],
    routes: 'literal',
    guard: {
      other: {
        before: /\b(?:american|orient|polar|federal)\s+$/i,
        after:
          /^\s+(?:shipping|delivery|deliveries|checkout|lane|train|bus|mail|courier|orders?|entry|yourself)\b/i,
      },
      word: {
        before: /\b(?:to|regular|must|should|can|will|could|and|not)\s+$/i,
        after:
          /^\s+(?:the|a|an|in|as|it|its|your|our|this|that|them|interest|terms|consent|how|what|all|each|every|\w{1,20}s)\b/i,
      },
      hint,
    },
  },
  {
    name: 'Fastify',
    aliases: ['fastify.js'],
    language: 'javascript',
    role: 'server',
    entry: 'server.js',
    typedEntry: 'server.ts',
    extensions: scripts,
    importText: 'fastify',
    imports: loads('fastify|@fastify/[a-z-]{1,40}'),
    routes: 'literal',
  },
  {
    name: 'NestJS',
    aliases: ['nest js', 'nest.js'],
    language: 'javascript',
    role: 'server',
    entry: 'src/main.ts',
    extensions: ['.ts', '.mts'],
    importText: '@nestjs/',
    imports: loads('@nestjs/[a-z/-]{1,60}'),
    routes: 'slashless',
  },
  {
    name: 'Hono',
    aliases: ['hono.js', 'honojs'],
    language: 'javascript',
    role: 'server',
    entry: 'src/index.ts',
    extensions: [...scripts, '.tsx'],
    importText: 'hono',
    imports: loads('hono(?:/[\\w/-]{1,60})?|@hono/[a-z-]{1,40}'),
    routes: 'literal',
  },
  {
    name: 'Elysia',
    aliases: ['elysia.js', 'elysiajs'],
    language: 'javascript',
    role: 'server',
    entry: 'src/index.ts',
    extensions: ['.ts', '.js'],
    importText: 'elysia',
    imports: loads('elysia|@elysiajs/[a-z-]{1,40}'),
    routes: 'literal',
  },
];

/**
 * Frameworks of JavaScript and TypeScript that render pages, and the one that stores their data.
 */
export const viewFrameworks: readonly FrameworkEntry[] = [
  {
    name: 'React',
    aliases: ['react.js', 'reactjs', 'react js'],
    language: 'javascript',
    role: 'view',
    entry: 'src/App.jsx',
    typedEntry: 'src/App.tsx',
    extensions: views,
    importText: null,
    imports: loads('react|react-dom(?:/client)?'),
    // Since React 17 a component needs no import.
    signs: { path: /\.[jt]sx$/ },
    goesWith: ['Next.js'],
    routes: 'literal',
    guard: {
      other: { after: /^\s+to\b(?!-)/i },
      word: {
        before:
          /\b(?:to|must|should|can|will|could|would|chemicals?|users?|people|players?|it|they|not|that|and|we|you|i)\s+$/i,
        after: /^\s+(?:when|on|if|accordingly|quickly|differently|by|badly|fast|as|instantly)\b/i,
      },
      hint,
    },
  },
  {
    name: 'Vue',
    aliases: ['vue.js', 'vuejs', 'vue js', 'vue 3', 'vue3'],
    language: 'javascript',
    role: 'view',
    entry: 'src/App.vue',
    extensions: ['.vue', '.js', '.ts'],
    importText: null,
    imports: loads('vue|vue-router|pinia|@vue/[a-z-]{1,40}'),
    signs: { path: /\.vue$/ },
    routes: 'literal',
    // In French text "vue" means a view.
    guard: {
      other: {
        before: /\b(?:la|une|cette|point\s+de|en)\s+$/i,
        after: /^\s+(?:d['’]|de\b|du\b|des\b|sur\b)/i,
      },
      word: {},
      hint,
    },
  },
  {
    name: 'Next.js',
    aliases: ['nextjs', 'next js'],
    language: 'javascript',
    role: 'view',
    entry: 'app/page.tsx',
    extensions: views,
    importText: null,
    imports: loads('next(?:/[\\w/-]{1,60})?'),
    signs: {
      path: /(?:^|\/)(?:(?:src\/)?app\/(?:.{1,200}\/)?(?:page|layout|route|loading|error)\.[jt]sx?|next\.config\.[cm]?[jt]s|pages\/.{1,200}\.[jt]sx?)$/,
    },
    goesWith: ['React'],
    routes: 'files',
  },
  {
    name: 'SvelteKit',
    aliases: ['svelte kit'],
    language: 'javascript',
    role: 'view',
    entry: 'src/routes/+page.svelte',
    extensions: ['.svelte', '.ts', '.js'],
    importText: null,
    imports: loads('@sveltejs/kit(?:/[\\w/-]{1,60})?|\\$app/[a-z]{1,40}|\\$env/[a-z/]{1,40}'),
    signs: { path: /(?:^|\/)\+(?:page|layout|server|error)(?:\.server)?\.(?:svelte|[jt]s)$/ },
    routes: 'files',
  },
  {
    name: 'Prisma',
    aliases: ['prisma orm'],
    language: 'javascript',
    role: 'store',
    entry: 'prisma/schema.prisma',
    extensions: ['.prisma', '.ts', '.js'],
    importText: null,
    imports: loads(
      '@prisma/client(?:/[\\w/-]{1,60})?|[^\'"]{0,200}/generated/prisma(?:/[\\w/-]{1,60})?',
    ),
    signs: { path: /\.prisma$/, code: /^[ \t]*(?:generator|datasource)[ \t]+\w{1,80}[ \t]*\{/m },
    routes: 'literal',
  },
];
