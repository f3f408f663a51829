import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/data-dir.mjs';
import { type CatalogClient, type Cell, type CellName, cellNames } from './catalog';

export interface ReportRow {
  readonly client: CatalogClient;
  /** Null if it could not be installed. */
  readonly version: string | null;
  readonly cells: Readonly<Record<CellName, Cell>>;
}

export const everyCell = (cell: Cell): Readonly<Record<CellName, Cell>> => ({
  turn: cell,
  'tool result': cell,
  sources: cell,
  tokens: cell,
  cost: cell,
  model: cell,
  session: cell,
  verdict: cell,
});

/** A Markdown table with its columns aligned. */
export function tableOf(rows: readonly ReportRow[]): string {
  const lines = [
    ['Client', 'Version', 'Way', ...cellNames.map(titleOf)],
    ...rows.map(({ client, version, cells }) => [
      client.name,
      version ?? 'not installed',
      client.way,
      ...cellNames.map((name) => cells[name]),
    ]),
  ];
  const widths = (lines[0] ?? []).map((_, at) =>
    Math.max(...lines.map((line) => line[at]?.length ?? 0)),
  );
  const written = lines.map(
    (line) => `| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [written[0], rule, ...written.slice(1)].join('\n');
}

const titleOf = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** One line per client and reason; columns with the same reason share a line. */
function reasonsOf(rows: readonly ReportRow[]): readonly string[] {
  return rows.flatMap(({ client }) => {
    const byReason = new Map<string, CellName[]>();
    for (const name of cellNames) {
      const reason = client.notSent?.[name];
      if (reason !== undefined) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
    }
    return [...byReason].map(
      ([reason, names]) => `- **${client.name}**, ${names.join(', ')}: ${reason}`,
    );
  });
}

/** Writes `docs/reference/clients.md`. `date` is `YYYY-MM-DD`. */
export function writeReport(rows: readonly ReportRow[], date: string): void {
  const reasons = reasonsOf(rows);
  const page = `# Clients

\`npm run clients\` installs the current version of each client, runs the same conversation with it
against scripted models, and reads the result over the API. This is its run of ${date}.

The user asks a question, the model calls a tool, and the model answers with one figure from the
tool's result and one without a source. A client reaches Assay by its spans (\`/v1/traces\`), by its
model calls (the [gateway](gateway.md)) or by the [HTTP API](http.md).

${tableOf(rows)}

- Turn: the answer is stored once.
- Tool result: the turn has the result of the tool.
- Sources: the figure from the tool is traced to its path, the other one is unsourced.
- Tokens, cost, model, session: the turn has them.
- Verdict: the [figure check](figures.md) gives \`unsourced\`.
- \`not sent\`: the client does not send it. \`NO\`: the client sends it, and Assay does not read it.
${reasons.length === 0 ? '' : `\n## Not sent\n\n${reasons.join('\n')}\n`}
Run the clients again, all or some of them:

\`\`\`
npm run clients
npm run clients openai curl
\`\`\`
`;
  writeFileSync(join(root, 'docs', 'reference', 'clients.md'), page);
}
