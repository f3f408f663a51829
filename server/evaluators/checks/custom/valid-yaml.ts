import { isMap, isSeq, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { found } from '../check';
import { runWithin } from '../watchdog';
import { defineFieldCheck, type CustomCheck } from './definition';
import { fencedMember, shortMessage, withoutFence } from './fenced';

const CHARS_MAX = 1_000_000;

/** `valid_yaml`: the text is YAML 1.2. Aliases are not expanded. */
export const validYaml: CustomCheck = defineFieldCheck({
  name: 'valid_yaml',
  meaning: 'The text is valid YAML 1.2. A plain sentence is valid too, unless `root` is given.',
  needs: 'a value at `field`',
  members: {
    root: z
      .enum(['any', 'mapping', 'sequence'])
      .default('any')
      .describe('What each document must be.'),
    fenced: fencedMember,
  },
  example: { root: 'mapping', fenced: true },
  notes: ['A text has at most 1,000,000 characters.'],
  title: ({ root }) => (root === 'any' ? 'Is valid YAML' : `Is a YAML ${root}`),
  prepare:
    ({ root, fenced }) =>
    ({ text }) => {
      if (text.length > CHARS_MAX)
        throw new Error(
          `the text has ${text.length} characters; at most ${CHARS_MAX} are read as YAML`,
        );
      const yaml = fenced ? withoutFence(text) : text;
      const documents = runWithin(
        () => [...parseAllDocuments(yaml, { prettyErrors: true, logLevel: 'silent' })],
        'reading the YAML',
      );
      const [error] = documents.flatMap(({ errors }) => errors);
      if (error !== undefined)
        return found(false, `the text is not YAML: ${shortMessage(error).replace(/:$/, '')}`);
      const isRoot = (contents: unknown): boolean =>
        root === 'any' || (root === 'mapping' ? isMap(contents) : isSeq(contents));
      const met = documents.length > 0 && documents.every(({ contents }) => isRoot(contents));
      return found(met, met ? 'the text is YAML' : `the text is YAML, but not a ${root}`);
    },
});
