import { Envelope } from '../domain';
import { type JsonTable, RowKind } from './json/table';
import { readJsonTable } from './json/walk';

/**
 * The structured answer of a cooperating model (INT-3): an object, or its JSON text, alone or in
 * one ``` fence. For anything else the result is null, and the plain text is scanned instead
 * (INT-6). Never throws.
 */
export function parseEnvelope(sent: unknown): Envelope | null {
  if (typeof sent !== 'string') return readEnvelope(sent);
  const text = withoutFence(sent.trim());
  if (!text.startsWith('{')) return null;
  try {
    const envelope = readEnvelope(JSON.parse(text) as unknown);
    return envelope === null ? null : withSourceDigits(envelope, text);
  } catch {
    return null;
  }
}

function readEnvelope(value: unknown): Envelope | null {
  const parsed = Envelope.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/**
 * Numbers of facts as written in the text: parsing has already rounded 12345678901234567890.
 */
function withSourceDigits(envelope: Envelope, text: string): Envelope {
  const written = new Map<number, string>();
  const table = readJsonTable(text);
  for (let row = 0; table !== null && row < table.size; row++) {
    const place = table.kindOf(row) > RowKind.longNumber ? null : factPlace(table, row);
    if (place !== null) written.set(place, table.textOf(row));
  }
  if (written.size === 0) return envelope;
  return {
    ...envelope,
    facts: envelope.facts.map((fact, i) => ({ ...fact, value: written.get(i) ?? fact.value })),
  };
}

/** The fact whose value a number is: `facts[3].value`; null for any other number. */
function factPlace(table: JsonTable, row: number): number | null {
  const step = table.stepOf(row);
  const fact = table.parentOf(row);
  const facts = table.above(fact);
  if (step >= 0 || fact === -1 || facts === -1 || table.keys.textOf(~step) !== 'value') return null;
  const position = table.stepOfContainer(fact);
  const name = table.stepOfContainer(facts);
  const isFacts =
    name < 0 && table.keys.textOf(~name) === 'facts' && table.above(table.above(facts)) === -1;
  return position >= 0 && isFacts ? position : null;
}

/** The content of a text that is exactly one fenced block. */
function withoutFence(text: string): string {
  if (!text.startsWith('```') || !text.endsWith('```') || text.length < 7) return text;
  const firstLine = text.indexOf('\n');
  return firstLine === -1 ? text : text.slice(firstLine + 1, -3).trim();
}
