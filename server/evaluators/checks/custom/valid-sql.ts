import { z } from 'zod';
import { found } from '../check';
import { runWithin } from '../watchdog';
import { defineFieldCheck, type CustomCheck } from './definition';
import { fencedMember, shortMessage, withoutFence } from './fenced';

const CHARS_MAX = 100_000;

/** A grammar takes 10 MB: it is loaded by the first check that needs it. */
const parsers = {
  postgresql: () => import('node-sql-parser/build/postgresql.js'),
  mysql: () => import('node-sql-parser/build/mysql.js'),
  mariadb: () => import('node-sql-parser/build/mariadb.js'),
  sqlite: () => import('node-sql-parser/build/sqlite.js'),
  bigquery: () => import('node-sql-parser/build/bigquery.js'),
  snowflake: () => import('node-sql-parser/build/snowflake.js'),
  redshift: () => import('node-sql-parser/build/redshift.js'),
  transactsql: () => import('node-sql-parser/build/transactsql.js'),
} as const;
type Dialect = keyof typeof parsers;
const dialects = Object.keys(parsers) as [Dialect, ...Dialect[]];

/** The part of a parsed statement that is read. */
const Statement = z.object({ type: z.string() });
const Statements = z.union([z.array(Statement), Statement.transform((one) => [one])]);

/** `valid_sql`: the text is SQL of a dialect, with allowed statements only. */
export const validSql: CustomCheck = defineFieldCheck({
  name: 'valid_sql',
  meaning: 'The text is SQL that a parser of the dialect reads. Nothing is run.',
  needs: 'a value at `field`',
  members: {
    dialect: z.enum(dialects).default('postgresql').describe('The dialect.'),
    statements: z
      .array(z.string().regex(/^[a-z]+$/, 'must be a word in lower case, such as `select`'))
      .min(1)
      .max(20)
      .optional()
      .describe('Kinds of statements that are allowed, such as `select`. Default: all.'),
    fenced: fencedMember,
  },
  example: { dialect: 'postgresql', statements: ['select'], fenced: true },
  notes: [
    'Uses node-sql-parser, which does not know every statement of a dialect. A text has at most 100,000 characters.',
  ],
  title: ({ dialect, statements }) =>
    statements === undefined
      ? `Is valid SQL (${dialect})`
      : `Is valid SQL (${dialect}): ${statements.join(', ')}`,
  prepare:
    ({ dialect, statements, fenced }) =>
    async ({ text }) => {
      if (text.length > CHARS_MAX)
        throw new Error(
          `the text has ${text.length} characters; at most ${CHARS_MAX} are read as SQL`,
        );
      const sql = fenced ? withoutFence(text) : text;
      if (sql.trim() === '') return found(false, 'the text is empty');
      const { Parser } = (await parsers[dialect]()).default;
      let parsed: unknown;
      let fault: unknown = null;
      runWithin(() => {
        try {
          parsed = new Parser().astify(sql);
        } catch (error) {
          fault = error;
        }
      }, 'reading the SQL');
      if (fault !== null) return found(false, `the text is not SQL: ${shortMessage(fault)}`);
      const kinds = Statements.parse(parsed).map(({ type }) => type.toLowerCase());
      const refused = kinds.find((kind) => statements?.includes(kind) === false);
      return found(
        refused === undefined,
        refused === undefined
          ? `the text is SQL: ${kinds.join(', ')}`
          : `"${refused}" is not allowed`,
      );
    },
});
