import { z } from 'zod';
import { normalText } from '../../domain';
import { defineCheck, found, quoted } from './check';
import { compilePattern, findPattern } from './pattern';
import { evidenceAt } from './positions';

const Value = z.union([
  z.string().min(1),
  z.strictObject({
    pattern: z.string().min(1),
    flags: z.string().max(10).default(''),
    absent: z.boolean().default(false),
  }),
]);

function partsOf(value: z.infer<typeof Value>): {
  pattern: string;
  flags: string;
  absent: boolean;
} {
  return typeof value === 'string' ? { pattern: value, flags: '', absent: false } : value;
}

/** `regex`: the pattern matches somewhere in the text, or with `absent` nowhere. */
export const regex = defineCheck({
  name: 'regex',
  value: Value,
  expects: 'a pattern, or {"pattern", "flags", "absent"}',
  describe(value) {
    const { pattern, absent } = partsOf(value);
    return absent ? `Does not match ${quoted(pattern)}` : `Matches ${quoted(pattern)}`;
  },
  prepare(value) {
    const { pattern, flags, absent } = partsOf(value);
    const named = `the pattern ${quoted(pattern)} is`;
    let compiled: ReturnType<typeof compilePattern> | null = null;
    return (given) => {
      const { text, placesOf } = normalText(given);
      compiled ??= compilePattern(pattern.normalize('NFC'), flags);
      const place = findPattern(compiled, text);
      if (place === null) return found(absent, `${named} nowhere in the text`);
      return found(!absent, `${named} in the text`, evidenceAt(given, placesOf([place])));
    };
  },
});
