import { describe, expect, test } from 'vitest';
import { faultOf } from '../../testing/slack';
import { mailText, noticeText, oneLine, ownUrl, slackBody } from './notice-texts';

const hostile =
  'rule <!channel> <https://evil.example|click> <b onclick=x>&amp; @here https://evil.example/a www.evil.example mailto:a@b.c';
const notice = {
  subject: 'Alert',
  text: hostile,
  short: null,
  url: 'https://assay.example.org/p/ops/alerts',
};

describe('S-63 quoted text in a notice becomes no markup, no mention and no link', () => {
  test('in a chat', () => {
    const { text, ...options } = JSON.parse(slackBody(notice)) as { text: string };
    expect(options).toEqual({ unfurl_links: false, unfurl_media: false });
    const quoted = text.slice(0, text.lastIndexOf('<'));
    expect(quoted).not.toMatch(/[<>]/);
    expect(quoted).not.toMatch(/https?:\/\/|www\.|mailto:|@here/);
    expect(quoted).toContain('&lt;!channel&gt;');
    expect(text.endsWith('<https://assay.example.org/p/ops/alerts|Open in Assay>')).toBe(true);
  });

  test('in the short lines of a report', () => {
    const { text } = JSON.parse(
      slackBody({ ...notice, short: [`${hostile}\n# no second line`] }),
    ) as { text: string };
    const quoted = text.slice(0, text.lastIndexOf('<'));
    expect(quoted).not.toMatch(/[<>]|https?:\/\/|www\.|mailto:|@here/);
    expect(quoted.trimEnd().split('\n')).toHaveLength(2);
  });

  test('in an email, as text and as HTML', () => {
    const { text, html } = mailText(notice);
    expect(text.replace(notice.url, '')).not.toMatch(/https?:\/\/|www\.|mailto:/);
    expect(html.match(/<[a-z!/][^>]*>/gi)?.map((tag) => tag.replace(/[\s>].*/s, ''))).toEqual([
      '<!doctype',
      '<html',
      '<body',
      '<pre',
      '</pre',
      '<p',
      '<a',
      '</a',
      '</p',
      '</body',
      '</html',
    ]);
    expect(html.replace(notice.url, '')).not.toMatch(/https?:\/\//);
    expect(html).toContain('&lt;b onclick=x&gt;&amp;amp;');
  });

  test.each([
    ['Alert\r\nBcc: all@example.org', 'Alert Bcc: all@example.org'],
    ['a\u2028b\u0000c\u202Ed', 'a b c d'],
    [`${'x'.repeat(179)}😀y`, `${'x'.repeat(179)}…`],
  ])('a subject is one line: %j', (subject, line) => {
    expect(mailText({ ...notice, subject }).subject).toBe(line);
    expect(oneLine(subject)).toBe(line);
  });

  test.each([
    ['https://assay.example.org/p/ops', 'https://assay.example.org/p/ops'],
    ['https://assay.example.org.evil.example/p', null],
    ['https://assay.example.org/p|<!channel>', null],
    ['javascript:alert(1)', null],
    [undefined, null],
  ])('only our own address is a link: %s', (url, expected) => {
    expect(ownUrl('https://assay.example.org', { url })).toBe(expected);
  });

  test('a long text is truncated at a chat’s limit, and the link is kept', () => {
    const { text } = JSON.parse(slackBody({ ...notice, text: '<'.repeat(10_000) })) as {
      text: string;
    };
    expect(text.length).toBeLessThan(13_000);
    expect(text).toContain('Open in Assay');
  });
});

const webUrl = 'https://assay.example.org';
const report = {
  kind: 'report',
  subject: 'Weekly: 2026-11-16 to 2026-11-22',
  text: '# Weekly: 2026-11-16 to 2026-11-22\n\n- Not qualified: a \\& b \\< c.\n\n| `m\\|x` | 3/18 |',
};
const data = {
  url: `${webUrl}/p/ops/reports/rep_1`,
  summary: ['No verdict & no <data>.', 'task_1: a | b, *c*'],
};

test('a report is sent to a chat as its title, its short lines and the link, with the three escapes of Slack and no markdown', () => {
  const { text } = JSON.parse(slackBody(noticeText(webUrl, report, data))) as { text: string };
  expect(text.split('\n')).toEqual([
    'Weekly: 2026-11-16 to 2026-11-22',
    '• No verdict &amp; no &lt;data&gt;.',
    '• task_1: a | b, *c*',
    '<https://assay.example.org/p/ops/reports/rep_1|Open in Assay>',
  ]);
});

test.each([[], 'one', ['one', 2], undefined])(
  'a summary that is not a list of lines is ignored, and the text is used: %j',
  (summary) => {
    expect(noticeText(webUrl, report, { summary })).toMatchObject({ short: null, url: null });
  },
);

test.each([
  ['a \\<b\\> \\# \\\\ c\\:\\d', 'a <b> # \\ c:\\d'],
  ['| `m\\|x\\y` | a\\|b |', '| `m|x\\y` | a|b |'],
  ['`` a`\\_b `` and \\`c\\_d\\`', '`` a`\\_b `` and `c_d`'],
  // S-63: an address that the report has defused is not a link in an email either.
  ['see https\\://x and www\\.x', 'see https[:]//x and www[.]x'],
])(
  'a report has no backslashes before punctuation in an email, and keeps them in code; an alert is unchanged: %s',
  (markdown, text) => {
    expect(mailText(noticeText(webUrl, { ...report, text: markdown }, {})).text).toBe(`${text}\n`);
    expect(noticeText(webUrl, { ...report, kind: 'alert', text: markdown }, {}).text).toBe(
      markdown,
    );
  },
);

test('long and hostile texts stay within the limits of Slack, and keep the link', () => {
  for (const text of ['<'.repeat(9_000), '&'.repeat(2_999), '😀'.repeat(4_000), '']) {
    for (const buttons of [
      { for: 'alert', eventId: 'alr_1' },
      { for: 'verdict', verdictId: 'v'.repeat(2_000) },
      { for: 'verdict', verdictId: 'v'.repeat(2_001) },
    ] as const) {
      const url = 'https://assay.example.org/p/ops/alerts';
      const body = slackBody({ subject: text || 'Alert', text, short: null, url }, buttons);
      const message = JSON.parse(body) as { blocks?: { text: { text: string } }[] };
      expect(faultOf(message)).toBeNull();
      const shown = message.blocks?.[0]?.text.text;
      if (shown === undefined) continue;
      expect(shown.endsWith('<https://assay.example.org/p/ops/alerts|Open in Assay>')).toBe(true);
      expect(shown).not.toMatch(/&(?!amp;|lt;|gt;)|[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
    }
  }
});
