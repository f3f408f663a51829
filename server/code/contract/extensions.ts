/** Extensions of program files, lower case, without their dot. */
export const codeExtensions: ReadonlySet<string> = new Set(
  (
    'py pyi ipynb js jsx mjs cjs ts tsx mts cts vue svelte go rs java kt kts scala groovy cs csproj fs c h cc cpp cxx hpp hh m mm swift rb ' +
    'erb rake php pl lua dart ex exs erl hs clj elm zig nim sh bash zsh ps1 bat cmd sql prisma graphql gql proto html htm css scss sass ' +
    'less gradle tf hcl sol'
  ).split(' '),
);

/**
 * Extensions of data files, which programs read as often as people write them. They are
 * deliverables only if the request states this.
 */
export const dataExtensions: ReadonlySet<string> = new Set(
  'json jsonc json5 yaml yml toml ini cfg conf xml md mdx txt csv tsv log lock mod sum properties tfvars rst env svg'.split(
    ' ',
  ),
);

/**
 * Extensions of pages, styles and queries: they are not searched for functions, classes or routes.
 */
export const markupExtensions: ReadonlySet<string> = new Set(
  'html htm css scss sass less sql graphql gql prisma proto'.split(' '),
);

/** Libraries whose names look like a JavaScript file. */
export const libraryNames: ReadonlySet<string> = new Set(
  (
    'node next vue react express three d3 chart nuxt nest moment p5 alpine backbone ember handlebars lodash ethers web3 discord brain ' +
    'tensorflow matter paper phaser plotly highcharts leaflet mocha passport knex sequelize electron angular svelte solid gatsby remix hono ' +
    'koa hapi polymer knockout mustache underscore velocity anime video hls pdf marked highlight prism fabric konva pixi babylon cannon ml5 ' +
    'big decimal math numeric ramda bluebird day elysia fastify adonis meteor socket reveal impress hammer howler tone mermaid cytoscape ' +
    'sigma vis popper swiper bull agenda stimulus htmx hyperapp preact mithril riot aurelia marionette sails feathers strapi dayjs'
  ).split(' '),
);
