import { jsonFault } from '../../../domain';
import { found } from '../check';
import { defineFieldCheck, type CustomCheck } from './definition';
import { fencedMember, withoutFence } from './fenced';

/** `valid_json`: the text is one JSON value (RFC 8259). */
export const validJson: CustomCheck = defineFieldCheck({
  name: 'valid_json',
  meaning: 'The text is one JSON value (RFC 8259). A value that was sent as JSON is valid.',
  needs: 'a value at `field`',
  members: { fenced: fencedMember },
  example: { fenced: true },
  title: () => 'Is valid JSON',
  prepare:
    ({ fenced }) =>
    ({ value, text }) => {
      if (typeof value !== 'string') return found(true, 'the value is JSON');
      const json = fenced ? withoutFence(text) : text;
      try {
        JSON.parse(json);
        return found(true, 'the text is JSON');
      } catch {
        const fault = jsonFault(json);
        return found(false, `the text is not JSON${fault === '' ? '' : `: ${fault}`}`);
      }
    },
});
