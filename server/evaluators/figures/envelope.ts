import { Envelope } from '../../domain';
import { jsonLeaves } from './json-leaves';

/**
 * The structured answer of a cooperating model (INT-3): an object, or its JSON text, alone or in one ``` fence. What is
 * not one gives null and the plain text is scanned instead (INT-6). Never throws.
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

/** Numbers of facts as the text writes them: parsing has already rounded 12345678901234567890. */
function withSourceDigits(envelope: Envelope, text: string): Envelope {
  const written = new Map<number, string>();
  for (const { kind, text: digits, node } of jsonLeaves(text)?.leaves ?? []) {
    const row = node.parent;
    const facts = row?.parent;
    if (kind !== 'number' || node.step !== 'value' || typeof row?.step !== 'number') continue;
    if (facts?.step === 'facts' && facts.parent?.step === null) written.set(row.step, digits);
  }
  if (written.size === 0) return envelope;
  return { ...envelope, facts: envelope.facts.map((fact, i) => ({ ...fact, value: written.get(i) ?? fact.value })) };
}

/** The inside of a text that is one fenced block and nothing else. */
function withoutFence(text: string): string {
  if (!text.startsWith('```') || !text.endsWith('```') || text.length < 7) return text;
  const firstLine = text.indexOf('\n');
  return firstLine === -1 ? text : text.slice(firstLine + 1, -3).trim();
}
