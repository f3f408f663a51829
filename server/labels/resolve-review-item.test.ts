import { expect, test } from 'vitest';
import { itemStateOf, raterOf, type RulingOrAbstention } from './resolve-review-item';

const respond = (
  account: string,
  verdict: string | null,
  more: Partial<RulingOrAbstention> = {},
): RulingOrAbstention => ({
  account,
  rater: account,
  verdict,
  blind: false,
  undone: null,
  ...more,
});
const vote = (account: string, verdict: string | null, more: Partial<RulingOrAbstention> = {}) =>
  respond(account, verdict, { blind: true, ...more });
const undone = { undone: { by: 'x', at: new Date(0) } };

const one = { raters: 1, blind: false, queues: ['must_see'] };
const two = { raters: 2, blind: true, queues: ['audit'] };

test.each<
  [string, typeof one, readonly RulingOrAbstention[], string, readonly string[], readonly string[]]
>([
  ['no one ruled', one, [], 'open', ['must_see'], []],
  ['one ruled', one, [respond('ann', 'fail')], 'done', ['must_see'], ['ann']],
  ['one abstained', one, [respond('ann', null)], 'open', ['must_see'], ['ann']],
  [
    'one abstained and one ruled',
    one,
    [respond('ann', null), respond('ben', 'fail')],
    'done',
    ['must_see'],
    ['ann', 'ben'],
  ],
  ['the ruling was undone', one, [respond('ann', 'fail', undone)], 'open', ['must_see'], []],
  ['one of two', two, [vote('ann', 'fail')], 'open', ['audit'], ['ann']],
  ['one twice', two, [vote('ann', 'fail'), vote('ann', 'fail')], 'open', ['audit'], ['ann']],
  [
    'two of two',
    two,
    [vote('ann', 'fail'), vote('ben', 'fail')],
    'done',
    ['audit'],
    ['ann', 'ben'],
  ],
  [
    'two that disagree',
    two,
    [vote('ann', 'fail'), vote('ben', 'pass')],
    'open',
    ['contested', 'audit'],
    ['ann', 'ben'],
  ],
  [
    'a third one decides',
    two,
    [vote('ann', 'fail'), vote('ben', 'pass'), respond('cid', 'pass')],
    'done',
    ['contested', 'audit'],
    ['ann', 'ben', 'cid'],
  ],
  [
    'one with the verdict visible decides a blind item',
    two,
    [vote('ann', 'fail'), respond('cid', 'pass')],
    'done',
    ['audit'],
    ['ann', 'cid'],
  ],
  [
    'one of two with the verdict visible',
    { ...two, blind: false },
    [respond('ann', 'fail')],
    'open',
    ['audit'],
    ['ann'],
  ],
  [
    'two of two with the verdict visible, who disagree',
    { ...two, blind: false },
    [respond('ann', 'fail'), respond('ben', 'pass')],
    'done',
    ['audit'],
    ['ann', 'ben'],
  ],
  [
    'no longer contested',
    { ...two, queues: ['contested', 'audit'] },
    [vote('ann', 'fail'), vote('ben', 'pass', undone)],
    'open',
    ['audit'],
    ['ann'],
  ],
])(
  'the state of an item follows from its rulings: %s',
  (_, item, all, state, queues, respondedBy) => {
    expect(itemStateOf(item, all)).toEqual({ state, queues, respondedBy });
  },
);

test('a name that a caller gives equals no other account', () => {
  const forged = raterOf({ account: 'key "k"', rater: 'ann@example.org' });
  expect(forged).not.toBe(raterOf({ account: 'ann@example.org', rater: 'ann@example.org' }));
});
