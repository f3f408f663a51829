import { z } from 'zod';
import { findPii, type PiiType, piiTypes } from '../../../pii';
import { found } from '../check';
import { evidenceAt } from '../positions';
import { runWithin } from '../watchdog';
import { defineFieldCheck, type CustomCheck } from './definition';

/** Below this a search takes milliseconds and needs no watchdog. */
const FREE_CHARS = 100_000;
const EVIDENCE_MAX = 50;

const names: Readonly<Record<PiiType, string>> = {
  key: 'keys',
  email: 'e-mail addresses',
  iban: 'IBANs',
  card: 'card numbers',
  phone: 'phone numbers',
};

/** `pii`: the text has no personal data or secrets. */
export const pii: CustomCheck = defineFieldCheck({
  name: 'pii',
  meaning: 'The text has none of these kinds of personal data and secrets.',
  needs: 'a value at `field`',
  members: {
    types: z
      .array(z.enum(piiTypes))
      .min(1)
      .default([...piiTypes])
      .describe('What is looked for.'),
    regions: z
      .array(z.string().regex(/^[A-Z]{2}$/, 'must be a region of two letters, such as `DE`'))
      .max(20)
      .default([])
      .describe('Regions (ISO 3166) whose phone numbers are found without their country code too.'),
  },
  example: { types: ['email', 'card', 'iban'], field: '$.output', must_pass: true },
  notes: [
    'Cards need a known issuer and a valid Luhn digit, IBANs a valid check number and the length of their country. Phone numbers need a country code, the North American form, a word such as "phone" before them, or `regions`. Keys are found by the prefixes of their issuers (OpenAI, Anthropic, AWS, GitHub, GitLab, Google, Slack, Stripe and others), as JSON Web Tokens and PEM private keys, after words such as `api_key`, and as long random tokens.',
    'Evidence has positions only: the data itself is not copied into the verdict.',
  ],
  title: ({ types }) => `Has no ${types.map((type) => names[type]).join(', ')}`,
  prepare:
    ({ types, regions }) =>
    ({ text }) => {
      const search = () => findPii(text, types, { regions });
      const all =
        text.length > FREE_CHARS ? runWithin(search, 'looking for personal data') : search();
      if (all.length === 0) return found(true, 'the text has none of them');
      const counts = piiTypes.flatMap((type) => {
        const count = all.filter((each) => each.type === type).length;
        return count === 0 ? [] : [`${names[type]}: ${count}`];
      });
      const places = evidenceAt(text, all.slice(0, EVIDENCE_MAX)).map(({ kind, ref }) => ({
        kind,
        ref,
      }));
      return found(false, `the text has personal data (${counts.join(', ')})`, places);
    },
});
