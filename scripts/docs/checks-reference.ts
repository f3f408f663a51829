// The reference of the checks of custom verifiers, generated from their definitions.
import { stringify } from 'yaml';
import { z } from 'zod';
import { commonMembers, type CustomCheck, customChecks } from '../../server/evaluators/checks';
import { type MemberRow, memberRows } from './schema-table';

const introduction = `# Checks

A verifier of kind \`checks\` runs rules on a subject and calls no model. Each entry of \`checks\` has
the name of a check and its members:

\`\`\`yaml
slug: refund-basics
name: Refund basics
kind: checks
targets: [turn, trace]
checks:
  - check: tool_called
    name: search
    arguments: { query: { contains: refund } }
    must_pass: true
  - { check: latency_ms, max: 5000, weight: 1 }
  - { check: pii, types: [email, card, iban], field: "$.output", must_pass: true }
thresholds: { pass_threshold: 0.5 }
\`\`\`

- The score is the weighted mean of the checks that have a result. A check has the value 1 or 0, or
  a share where its text says so.
- The subject passes if the score is at least \`pass_threshold\` and every check with \`must_pass\`
  is met.
- A check is unscored if the subject does not have what it needs, such as a reference. It then counts
  neither for nor against. If all checks are unscored, there is no verdict.
- A check that breaks, for example on a text that is too long, is \`failed\`: there is no verdict, and
  a person reviews it.
- Unknown checks and members are refused when the definition is saved. A definition has 1 to 100
  checks.

## Members of every check
`;

const readOnly = `
Checks of a value have \`field\`, a JSONPath query (RFC 9535) over the
[subject](glossary.md). Variables of the verifier's \`mapping\` are members too: with
\`mapping: {policy: "$.context[0].content"}\`, a check may use \`field: $.policy\`. One found value is
used as it is, several are a list. A value that is not a text is checked as JSON text, and positions
of evidence refer to it.
`;

/** The page `docs/reference/checks.md`. */
export function checksPage(): string {
  const [first] = customChecks.values();
  const shared = first === undefined ? [] : rowsOf(first).filter(({ name }) => isShared(name));
  const list = [
    '| Check | Met if |',
    '| --- | --- |',
    ...[...customChecks.values()].map(({ name, meaning }) => `| \`${name}\` | ${cell(meaning)} |`),
  ].join('\n');
  return [
    introduction,
    table(shared),
    readOnly,
    '## All checks\n',
    list,
    '',
    ...[...customChecks.values()].map(section),
  ].join('\n');
}

function section(check: CustomCheck): string {
  const ownRows = rowsOf(check).filter(({ name }) => !isShared(name));
  return [
    `## ${check.name}\n`,
    `${check.meaning}\n`,
    `Needs: ${check.needs}.\n`,
    ...(ownRows.length === 0 ? [] : [`${table(ownRows)}\n`]),
    ...check.notes.map((note) => `${note}\n`),
    '```yaml',
    `- ${flow(check.example)}`,
    '```',
    '',
  ].join('\n');
}

const isShared = (name: string): boolean => commonMembers.includes(name) && name !== 'check';

const rowsOf = ({ members }: CustomCheck): readonly MemberRow[] =>
  memberRows(z.toJSONSchema(members, { io: 'input', unrepresentable: 'any' })).filter(
    ({ name }) => name !== 'check',
  );

const table = (rows: readonly MemberRow[]): string =>
  [
    '| Name | Type | | Meaning |',
    '| --- | --- | --- | --- |',
    ...rows.map(
      ({ name, type, limits, meaning }) =>
        `| \`${name}\` | ${type} | ${limits} | ${cell(meaning)} |`,
    ),
  ].join('\n');

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** YAML in one line. */
const flow = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
