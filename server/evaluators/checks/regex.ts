import { z } from 'zod';
import { defineCheck, found, quoted } from './check';
import { compilePattern, findPattern } from './pattern';
import { evidenceAt } from './positions';

const Value = z.union([
  z.string().min(1),
  z.strictObject({ pattern: z.string().min(1), flags: z.string().max(10).default(''), absent: z.boolean().default(false) }),
]);

function partsOf(value: z.infer<typeof Value>): { pattern: string; flags: string; absent: boolean } {
  return typeof value === 'string' ? { pattern: value, flags: '', absent: false } : value;
}

/** `regex`: the pattern stands somewhere in the text, or with `absent` nowhere. */
export const regex = defineCheck({
  name: 'regex',
  value: Value,
  expects: 'a pattern, or {"pattern", "flags", "absent"}',
  describe(value) {
    const { pattern, absent } = partsOf(value);
    return absent ? `Does not match ${quoted(pattern)}` : `Matches ${quoted(pattern)}`;
  },
  run(value, text) {
    const { pattern, flags, absent } = partsOf(value);
    const place = findPattern(compilePattern(pattern, flags), text);
    const where = place === null ? 'nowhere in the text' : 'in the text';
    return found(
      (place !== null) !== absent,
      `the pattern ${quoted(pattern)} stands ${where}`,
      place === null ? [] : evidenceAt(text, [place]),
    );
  },
});
