import type { RequestRow } from './row';

/** Files named in every way, together with files that are only mentioned. */
export const namedFiles: readonly RequestRow[] = [
  { ask: 'Create server.py and models.py', files: ['server.py', 'models.py'] },
  { ask: 'Write a script called backup.sh that archives /var/log', files: ['backup.sh'] },
  {
    ask: 'Create a file `src/utils/format.ts` with a function formatDate',
    files: ['src/utils/format.ts'],
  },
  { ask: 'Generate a.py, b.py and c.py', files: ['a.py', 'b.py', 'c.py'] },
  {
    ask: 'Please write "index.html" and "style.css" for a landing page',
    files: ['index.html', 'style.css'],
  },
  { ask: 'Build a small CLI in cli.js that counts words', files: ['cli.js'] },
  {
    ask: 'Implement the parser in parser.rs, the lexer in lexer.rs',
    files: ['parser.rs', 'lexer.rs'],
  },
  {
    ask: 'Create the following files:\n- src/index.ts\n- src/router.ts\n- README.md',
    files: ['src/index.ts', 'src/router.ts', 'README.md'],
  },
  {
    ask: 'Scaffold a project:\n1. main.go\n2. handlers/users.go\n3. go.mod',
    files: ['main.go', 'handlers/users.go', 'go.mod'],
  },
  { ask: 'Write a Python script, save it as clean_data.py', files: ['clean_data.py'] },
  { ask: 'Create a script report.py that reads sales.csv and prints totals', files: ['report.py'] },
  { ask: 'Write convert.py which converts input.csv to output.json', files: ['convert.py'] },
  { ask: 'Generate types.ts from schema.json', files: ['types.ts'] },
  { ask: 'Create tests for utils.ts in utils.test.ts', files: ['utils.test.ts'] },
  { ask: 'Write a module named cache.js like the existing store.js', files: ['cache.js'] },
  { ask: 'Create routes.py. It should import db from database.py.', files: ['routes.py'] },
  {
    ask: 'Create a Dockerfile and docker-compose.yml for the service',
    files: ['Dockerfile', 'docker-compose.yml'],
  },
  { ask: 'Write a Makefile with targets build and test', files: ['Makefile'] },
  { ask: 'Create a component in components/NavBar.tsx', files: ['components/NavBar.tsx'] },
  {
    ask: 'Implement everything in `lib/queue.ts`, do not touch `lib/index.ts`',
    files: ['lib/queue.ts'],
  },
  { ask: 'Write app.js using the helpers in helpers.js', files: ['app.js'] },
  {
    ask: 'Create Calculator.java with a class Calculator',
    files: ['Calculator.java'],
    hard: ['Calculator'],
  },
  {
    ask: 'Create models/user.py with a User class and models/post.py with a Post class',
    files: ['models/user.py', 'models/post.py'],
    hard: ['User', 'Post'],
  },
  {
    ask: 'Write this to config.yaml:\n```yaml\nport: 8080\n```\nand create a loader in load_config.py',
    files: ['config.yaml', 'load_config.py'],
  },
  {
    ask: 'Create a project with this structure:\n```\nmyapp/\n├── main.py\n├── models.py\n└── tests/\n    └── test_main.py\n```',
    files: ['main.py', 'models.py', 'test_main.py'],
  },
  { ask: 'Build a page index.html that loads app.js', files: ['index.html'] },
  { ask: 'Create `main.rs` and `lib.rs`, both in `src`', files: ['main.rs', 'lib.rs'] },
  { ask: 'Write a file ./scripts/deploy.sh', files: ['scripts/deploy.sh'] },
  { ask: 'Create a new file at src/api/client.ts', files: ['src/api/client.ts'] },
  { ask: 'Generate a schema.sql file with tables users and orders', files: ['schema.sql'] },
  { ask: 'Create hello.py', files: ['hello.py'] },
  { ask: 'Write me fib.c and fib.h', files: ['fib.c', 'fib.h'] },
  { ask: 'Create Program.cs with a class Inventory', files: ['Program.cs'], hard: ['Inventory'] },
  {
    ask: 'Build a scraper (scraper.py) and its config (scraper.toml)',
    files: ['scraper.py', 'scraper.toml'],
  },
  { ask: 'Create a script that parses access.log' },
  { ask: 'Write a function that loads settings.json' },
  { ask: 'Create a Node.js script in run.mjs', files: ['run.mjs'] },
  { ask: 'Build a chart page chart.html with Chart.js', files: ['chart.html'] },
  { ask: 'Write a Discord.js bot in bot.ts', files: ['bot.ts'] },
  {
    ask: 'Create main.py, utils.py, and config.py. Then run main.py.',
    files: ['main.py', 'utils.py', 'config.py'],
  },
  { ask: 'Create server.ts; the old server.js stays as it is', files: ['server.ts'] },
  {
    ask: 'Implement `class Stack` in stack.py, following the style of queue.py',
    files: ['stack.py'],
    hard: ['Stack'],
  },
  { ask: 'Write the migration 0001_init.sql', files: ['0001_init.sql'] },
  { ask: 'Generate an .env.example file and a .gitignore', files: ['.env.example', '.gitignore'] },
  { ask: 'Create a package.json and a tsconfig.json', files: ['package.json', 'tsconfig.json'] },
  { ask: 'Write file "my notes.md"? No: create notes.md', files: ['notes.md'] },
  {
    ask: 'Create a C++ program in main.cpp with header matrix.hpp',
    files: ['main.cpp', 'matrix.hpp'],
  },
  {
    ask: 'Write a React hook useDebounce in hooks/useDebounce.ts',
    files: ['hooks/useDebounce.ts'],
    framework: 'React',
  },
];
