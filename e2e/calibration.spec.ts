import type { Page } from '@playwright/test';
import { ownerState, project, readInstance, readKey } from './instance';
import { open } from './pages';
import { expect, expectAllForms, expectListening, expectNoViolations, test } from './test';

test.use({ storageState: ownerState });

const base = `/p/${project.slug}/calibration`;
const verdict = {
  name: 'verdict-passed' as 'verdict-plain',
  verdict: 'web-2 is at 40%' as 'You are welcome',
};
const ownRow = (page: Page) =>
  page
    .getByRole('table', { name: 'Verifiers', exact: true })
    .getByRole('row')
    .filter({ hasText: 'integrity' });

async function importRows(rows: readonly object[], mapping: object): Promise<void> {
  const sent = await fetch(
    `${readInstance().edgeUrl}/v1/import?mapping=${encodeURIComponent(JSON.stringify(mapping))}`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${readKey()}`, 'content-type': 'application/x-ndjson' },
      body: rows.map((row) => JSON.stringify(row)).join('\n'),
    },
  );
  expect(sent.status, await sent.clone().text()).toBe(202);
}

test('SOAR-26, SOAR-27: an override in the browser changes the rates on the open Calibration page within 5 s, and its rows follow', async ({
  page,
  context,
}) => {
  const calibration = await context.newPage();
  await calibration.goto(base);
  await expectListening(calibration);
  await open(page, verdict);
  const undo = page.getByRole('button', { name: /^Undo unsourced by/ });
  for (let left = await undo.count(); left > 0; left -= 1) {
    // An earlier attempt of this test left its ruling.
    await undo.first().click();
    await expect(undo).toHaveCount(left - 1);
  }
  await expect(ownRow(calibration)).toContainText('unmeasured');
  const form = page.getByRole('form', { name: 'Rule on this verdict' });

  await test.step('the ruling is counted on the open page', async () => {
    await form.getByRole('radio', { name: 'unsourced', exact: true }).check();
    await form.getByRole('textbox', { name: 'Reason' }).fill('It is 41 % by now.');
    await form.getByRole('button', { name: 'Override verdict' }).click();
    await expect(
      ownRow(calibration).getByRole('link', { name: '1, override rate, numerator' }),
    ).toBeVisible({ timeout: 30_000 });
    await expect(
      ownRow(calibration).getByRole('link', { name: '0, catch rate, numerator' }),
    ).toBeVisible();
    await expectNoViolations(calibration);
  });

  await test.step('the verifier has its matrix, and each number leads to its rows', async () => {
    await ownRow(calibration).getByRole('link', { name: 'integrity' }).click();
    await expect(calibration.getByRole('heading', { level: 1, name: 'integrity' })).toBeVisible();
    await expectListening(calibration);
    // The panel is loaded with its tab, and has no shortcut until then.
    await expect(calibration.getByRole('img', { name: /over time/ })).toBeVisible();
    await calibration.keyboard.press('t');
    await expect(
      calibration.getByRole('table', { name: 'Rates over time' }).getByRole('row'),
    ).toHaveCount(2);
    await expectNoViolations(calibration);
    await calibration.keyboard.press('t');
    const chart = calibration.getByRole('img', { name: /over time/ });
    await expect(chart).toBeVisible();
    await expectNoViolations(calibration);
    // A day of the chart opens its labelled verdicts.
    await chart.locator('circle').last().click();
    await expect(
      calibration.getByRole('heading', { level: 1, name: 'With known truth' }),
    ).toBeVisible();
    await calibration.goBack();
    await calibration
      .getByRole('table', { name: 'Confusion matrix' })
      .getByRole('link', { name: '1, missed failures' })
      .click();
    await expect(
      calibration.getByRole('heading', { level: 1, name: 'Missed failures' }),
    ).toBeVisible();
    const row = calibration
      .getByRole('table', { name: 'Rows', exact: true })
      .getByRole('row')
      .filter({ hasText: verdict.verdict });
    await expect(row).toContainText('sourced');
    await expect(row).toContainText('Bad, overridden');
    await expectNoViolations(calibration);
    await row.getByRole('link').click();
    await expect(calibration).toHaveURL(/\/verdicts\//);
  });

  await test.step('after an undo, the verdict is unmeasured again', async () => {
    await calibration.goto(base);
    await expectListening(calibration);
    await undo.click();
    await expect(ownRow(calibration)).toContainText('unmeasured', { timeout: 30_000 });
  });
});

test('X-1: an imported judge is listed next to the verifiers, and no page says "false positive"', async ({
  page,
}) => {
  const mapping = {
    format: 'jsonl',
    id: 'id',
    output: 'out',
    judge: { const: 'acme/judge <b>' },
    judge_verdict: 'j',
    human_label: 'h',
  };
  const rows = Array.from({ length: 24 }, (_, at) => ({
    id: `e2e-judged-${at}`,
    out: 'No figures here.',
    j: at % 3 === 0 ? 'fail' : 'pass',
    h: at % 2 === 0 ? 'fail' : 'pass',
  }));
  await importRows(rows, mapping);
  const judges = page.getByRole('table', { name: 'Imported judges' });
  await expect(async () => {
    await page.goto(base);
    await expect(judges.getByRole('row').filter({ hasText: 'acme/judge <b>' })).toContainText(
      '12/24',
      { timeout: 10_000 },
    );
  }).toPass();
  await expectNoViolations(page);
  await expect(page.getByRole('main')).not.toContainText(/false positive/i);
  await judges.getByRole('link', { name: 'acme/judge <b>' }).click();
  await expect(
    page.getByRole('table', { name: 'Confusion matrix' }).getByRole('link', { name: '4, caught' }),
  ).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(/false positive/i);
  await expectNoViolations(page);
  await page
    .getByRole('table', { name: 'Measures' })
    .getByRole('link', { name: '12, false rejections, denominator' })
    .click();
  await expect(page.getByRole('table', { name: 'Rows', exact: true }).getByRole('row')).toHaveCount(
    13,
  );
  await expectNoViolations(page);
});

test('imported judges of categories and grades are listed next to the agreement of people, each with its own page', async ({
  page,
}) => {
  const people = ['ann <b>', 'bob', 'cleo'];
  const mapping = {
    format: 'jsonl',
    id: 'id',
    output: 'out',
    labels: [
      { each: 'votes', value: '@@.word', rater: '@@.by', as: 'category' },
      {
        each: 'grades',
        value: '@@.grade',
        rater: '@@.by',
        as: 'grade',
        dimension: { const: 'tone' },
      },
    ],
    judgements: [
      {
        each: 'said',
        judge: { const: 'acme/pairs' },
        value: '@@.word',
        as: 'category',
        categories: ['1', '2', 'tie'],
        presentation: '@@.order',
      },
      {
        judge: { const: 'acme/grades' },
        value: 'graded',
        as: 'grade',
        dimension: { const: 'tone' },
        range: [1, 5],
      },
    ],
  };
  const rows = Array.from({ length: 24 }, (_, at) => ({
    id: `e2e-compared-${at}`,
    out: 'No figures here.',
    // The last of three people disagrees on every fourth pair; the judge prefers the first position
    // in every third.
    votes: people.map((by, nth) => ({
      by,
      word: String((at % 2 === 0) !== (nth === 2 && at % 4 === 0) ? 1 : 2),
    })),
    grades: people.map((by, nth) => ({ by, grade: 1 + ((at + (at % 3 === nth ? 1 : 0)) % 5) })),
    said: ['as-is', 'swapped'].map((order) => ({
      order,
      word: String(at % 3 === 0 ? (order === 'as-is' ? 1 : 2) : 1 + (at % 2)),
    })),
    graded: 1 + (at % 5),
  }));
  await importRows(rows, mapping);
  const byWord = page.getByRole('table', { name: 'Judges of categories' });
  await expect(async () => {
    await page.goto(base);
    // Pairs judged in two orders: the judge was consistent in two thirds of them.
    await expect(byWord.getByRole('row').filter({ hasText: 'acme/pairs' })).toContainText('16/24', {
      timeout: 10_000,
    });
  }).toPass();
  const byGrade = page.getByRole('table', { name: 'Judges of grades' });
  await expect(byGrade.getByRole('row').filter({ hasText: 'acme/grades' })).toContainText('tone');
  await expect(page.getByRole('table', { name: 'Agreement between people' })).toContainText(
    'imported:ann <b> and imported:bob',
  );
  await byWord.getByRole('link', { name: 'acme/pairs' }).click();
  await expect(
    page.getByRole('table', { name: 'By category', exact: true }).getByRole('row'),
  ).toHaveCount(3);
  await expectAllForms(page);
});
