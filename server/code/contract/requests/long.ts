import type { RequestRow } from './row';

/**
 * Requests of several lines: a specification, a signature with its comment, code to continue, or
 * prose around one order.
 */
export const long: readonly RequestRow[] = [
  {
    ask: `Build a small task tracker.

Requirements:
1. Backend in \`server/app.py\` with Flask.
2. GET \`/api/tasks\` returns all tasks, POST \`/api/tasks\` adds one, DELETE \`/api/tasks/<id>\` removes it.
3. Put the models in \`server/models.py\`: a \`Task\` class with fields id, title and done.

Read the port from settings.toml. Do not create a frontend.`,
    files: ['server/app.py', 'server/models.py'],
    framework: 'Flask',
    hard: ['from flask', '/api/tasks', 'Task'],
  },
  {
    ask: `Write this schema to \`data/schema.ts\`:
\`\`\`ts
import { table, text } from 'orm';
import { base } from './base';
export const notes = table('notes', { body: text() });
\`\`\`

Create these functions in \`data/notes.ts\`:
- A query \`listNotes\` that takes no arguments
- A mutation \`addNote\` that takes \`{ body: string }\``,
    files: ['data/schema.ts', 'data/notes.ts'],
  },
  {
    ask: `// Returns the longest run of equal letters in a text.
// >>> longestRun("aabbb")
// "bbb"
function longestRun(text) {
`,
    active: false,
  },
  {
    ask: `class Ledger:
    """
    Keeps the bookings of one account.
    """

    def __init__(self, owner):
        """
        Creates a ledger file for its owner.
        """

    def book(self, amount):
        """
        Books an amount.
        """
`,
    active: false,
  },
  {
    ask: `Complete the class below so that all its tests pass.

class Ledger:
    def book(self, amount):
        pass`,
    active: false,
  },
  {
    ask: `Implement the following class in ledger.py:

class Ledger:
    def book(self, amount):
        pass

    def total(self):
        pass`,
    files: ['ledger.py'],
    hard: ['Ledger'],
  },
  {
    ask: `Our team keeps recipes in a spreadsheet. It grows, and nobody finds anything any more. We tried two products and liked neither.

Create a web application in \`recipes/main.go\` with Gin:
- GET /recipes lists them
- GET /recipes/:id shows one
- POST /recipes adds one

The data stays in recipes.csv for now.`,
    files: ['recipes/main.go'],
    framework: 'Gin',
    hard: ['github.com/gin-gonic/gin', '/recipes'],
  },
  {
    ask: `The service fails at night with

  Error: cannot open /var/lib/app/state.json
    at load (src/state.ts:14:3)

Please find the cause and fix it in src/state.ts.`,
    active: false,
  },
  {
    ask: `Hi there,

could you write two modules for me? The first, \`geo/distance.ts\`, exports a function haversine. The second, \`geo/bounds.ts\`, exports a class BoundingBox.

Both use the constants of \`geo/constants.ts\`.

Thanks!`,
    files: ['geo/distance.ts', 'geo/bounds.ts'],
    hard: ['BoundingBox'],
  },
  {
    ask: `Create a NestJS API.

## Files
- \`src/main.ts\`
- \`src/books/books.module.ts\`
- \`src/books/books.controller.ts\` with class BooksController
- \`src/books/books.service.ts\` with class BooksService

## Routes
- GET /books
- GET /books/:isbn

Do not use Express directly.`,
    files: [
      'src/main.ts',
      'src/books/books.module.ts',
      'src/books/books.controller.ts',
      'src/books/books.service.ts',
    ],
    framework: 'NestJS',
    hard: ['@nestjs/', 'BooksController', 'BooksService', 'books'],
  },
  {
    ask: `Generate the files of a static site:

| file | holds |
| --- | --- |
| index.html | the start page |
| about.html | who we are |
| site.css | all styles |`,
    files: ['index.html', 'about.html', 'site.css'],
  },
  {
    ask: `Create only \`mailer.ts\` and \`queue.ts\`. Do NOT create \`index.ts\`.

\`mailer.ts\` has a class Mailer, \`queue.ts\` imports it from './mailer.ts'.`,
    files: ['mailer.ts', 'queue.ts'],
    hard: ['Mailer'],
  },
  {
    ask: `Write a Rust program.

\`\`\`toml
# Cargo.toml
[dependencies]
axum = "0.7"
\`\`\`

It serves GET /version with axum and lives in src/main.rs.`,
    files: ['Cargo.toml', 'src/main.rs'],
    framework: 'Axum',
    hard: ['axum', '/version'],
  },
  {
    ask: `I have a React page like this:

function Page() {
  return <Profile user={loadUser()} />;
}

Write the component Profile in Profile.tsx. It shows the name and the mail address.`,
    files: ['Profile.tsx'],
    framework: 'React',
  },
  {
    ask: `Add a dark theme to the settings page and keep the choice in local storage.`,
    active: false,
  },
  {
    ask: `Create a Java class Invoice in src/main/java/shop/Invoice.java with the methods addLine, total and print. Add a JUnit test in src/test/java/shop/InvoiceTest.java.`,
    files: ['src/main/java/shop/Invoice.java', 'src/test/java/shop/InvoiceTest.java'],
    hard: ['Invoice'],
  },
];
