import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../testing/processor-time';
import { splitClaims } from './split';

const texts = (answer: string): readonly string[] => splitClaims(answer).map(({ text }) => text);

describe('SOAR-21 SOAR-24 the claims of an answer', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['sentences', 'The disk is full. Web-2 is idle!', ['The disk is full.', 'Web-2 is idle!']],
    ['decimals', 'It is 3.14 now. Next it is 2.5.', ['It is 3.14 now.', 'Next it is 2.5.']],
    [
      'a letter at the end, and numbers',
      'It took 3.2 s. See No. 5 for it. The reply is no. We left.',
      ['It took 3.2 s.', 'See No. 5 for it.', 'The reply is no.', 'We left.'],
    ],
    [
      'titles and initials',
      'Mr. Smith and J. Doe agreed. Dr. No left.',
      ['Mr. Smith and J. Doe agreed.', 'Dr. No left.'],
    ],
    [
      'e.g. and i.e.',
      'Some hosts, e.g. Web-1, are full. Others, i.e. Db-1, are not.',
      ['Some hosts, e.g. Web-1, are full.', 'Others, i.e. Db-1, are not.'],
    ],
    [
      'clock times',
      'It leaves at 6:00 a.m. EST on Monday. It lands at noon.',
      ['It leaves at 6:00 a.m. EST on Monday.', 'It lands at noon.'],
    ],
    [
      'names with points',
      'Node.js runs example.com well. So does v2.1.',
      ['Node.js runs example.com well.', 'So does v2.1.'],
    ],
    [
      'quotations stay whole',
      'He said "It works. All is good." and left. We stayed.',
      ['He said "It works. All is good." and left.', 'We stayed.'],
    ],
    [
      'lines that were wrapped',
      'The migration takes\ntwo weeks. Then it\nends.',
      ['The migration takes\ntwo weeks.', 'Then it\nends.'],
    ],
    ['lines that were not', 'Origin: JFK\nDestination: SEA', ['Origin: JFK', 'Destination: SEA']],
    ['other scripts', '磁盘已满。服务器正常。', ['磁盘已满。', '服务器正常。']],
    [
      'list items',
      '- Disk: 91%\n- CPU: 12%\n1. Memory: 40%',
      ['Disk: 91%', 'CPU: 12%', 'Memory: 40%'],
    ],
    [
      'check lists',
      '- [x] The key was rotated\n- [ ] The old key was revoked',
      ['The key was rotated', 'The old key was revoked'],
    ],
    [
      'rows of tables, and not their head',
      '| Host | Disk |\n|---|---:|\n| web-1 | 91% |\n| web-2 | 12% |',
      ['web-1 | 91%', 'web-2 | 12%'],
    ],
    ['a table without outer bars', 'Host | Disk\n--- | ---\nweb-1 | 91%', ['web-1 | 91%']],
    ['quoted lines', '> The disk is full.', ['The disk is full.']],
    [
      'no headings',
      '# Disk usage\n\nThe disk is full.\n\nMemory\n======\n\nMemory is fine.',
      ['The disk is full.', 'Memory is fine.'],
    ],
    [
      'no labels of lists',
      '**Flight HAT069**\n- Price: $121\n\nDetails:\n- Cabin: economy',
      ['Price: $121', 'Cabin: economy'],
    ],
    ['no questions', 'Would you like to book it? The price is $100.', ['The price is $100.']],
    [
      'no greetings and offers',
      'Hello! Sure, happy to help.\n\nThe disk is full.\n\nLet me know if you need anything else.',
      ['The disk is full.'],
    ],
    [
      'no transitions',
      'Here are the results:\n\n- The disk is full\n\nIn summary:',
      ['The disk is full'],
    ],
    [
      'no code',
      'Run this:\n```sh\nrm -rf /. It is safe.\n```\nThe disk is full.',
      ['The disk is full.'],
    ],
    [
      'no list of sources',
      'The disk is full.\n\n## Sources\n- [1] Disk report\n- https://example.com/disk',
      ['The disk is full.'],
    ],
    [
      'but what is claimed among the sources',
      'Sources:\n- Disk report\n\nThe disk is full.',
      ['The disk is full.'],
    ],
    ['nothing of nothing', ' \n\n', []],
    ['nothing of signs', '--- *** !!! ...', []],
  ])('%s', (_title, answer, expected) => {
    expect(texts(answer)).toEqual(expected);
  });

  it('a claim has the label above it, and loses it where the list ends', () => {
    const answer =
      '1. **Flight HAT069**\n   - Price: $121\n2. **Flight HAT083**\n   - Price: $100\n\nThe second is cheaper.';
    const labels = splitClaims(answer).map(({ text, label }) => [
      text,
      label === null ? null : answer.slice(label.start, label.end),
    ]);
    expect(labels).toEqual([
      ['Price: $121', '**Flight HAT069**'],
      ['Price: $100', '**Flight HAT083**'],
      ['The second is cheaper.', null],
    ]);
  });

  it('claims are disjoint, in order, and equal the text at their position', () => {
    const parts = [
      'The disk is full. ',
      '\n',
      '- ',
      '| a | b |',
      '```\n',
      '# H\n',
      '"Quoted. Text',
      '“x. y” ',
      'é😀 is 5. ',
      'e.g. A. B',
      '\t',
      '> ',
      '1) ',
      '。',
      '**b**\n',
      '\n\n',
      ':',
    ];
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let run = 0; run < 500; run++) {
      const answer = Array.from(
        { length: random(40) },
        () => parts[random(parts.length)] ?? '',
      ).join('');
      let end = 0;
      for (const claim of splitClaims(answer)) {
        expect(claim.start).toBeGreaterThanOrEqual(end);
        expect(claim.end).toBeGreaterThan(claim.start);
        expect(answer.slice(claim.start, claim.end)).toBe(claim.text);
        end = claim.end;
      }
      expect(end).toBeLessThanOrEqual(answer.length);
    }
  });
});

describe('R-102 splitting is linear', () => {
  const isLong = process.env.ASSAY_LONG === '1';
  const megabyte = 1_048_576;
  const size = isLong ? megabyte : megabyte / 4;
  const took = (piece: string, length: number): number => {
    const answer = piece.repeat(length / piece.length);
    return processorMs(() => splitClaims(answer));
  };

  it.each([
    '.',
    ' ',
    '\n',
    '"',
    '|',
    '-',
    '`',
    '>',
    '#',
    'A. ',
    'a. B',
    '| a ',
    '…(',
    '. 1',
    '* ',
    '1. ',
    '“',
    '**',
    '磁。',
    '[^',
  ])(
    `R-102 ${size / 4} characters of %j`,
    (piece) => {
      expect(took(piece, size / 4)).toBeLessThan(isLong ? 6_000 : 3_000);
    },
    30_000,
  );

  it.each(['a', '- a\n', '磁', '磁。', '。', '磁\n'])(
    `R-102 ${size} characters of %j`,
    (piece) => {
      expect(took(piece, size)).toBeLessThan(isLong ? 24_000 : 8_000);
    },
    30_000,
  );
});
