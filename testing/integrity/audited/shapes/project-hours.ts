import { auditedShape } from '../shape';
import { json, rowsOf, table } from '../../table';

const hours = table(`
task | project | person | week | hours | billable | rate_eur
h1 | Atlas | Mira | 2024-W18 | 31.5 | 28.0 | 95
h2 | Atlas | Joan | 2024-W18 | 12.0 | 9.5 | 110
h3 | Borealis | Joan | 2024-W18 | 22.5 | 22.5 | 110
h4 | Borealis | Tom | 2024-W18 | 38.0 | 30.0 | 80
h5 | Atlas | Mira | 2024-W19 | 26.0 | 25.0 | 95
h6 | Borealis | Tom | 2024-W19 | 35.5 | 33.5 | 80
`);
const budgets = table(`
project | budget_hours | spent_hours | deadline
at | 400 | 312.5 | 2024-06-28
bo | 650 | 488.0 | 2024-09-13
`);

export const projectHours = auditedShape(
  'project hours',
  [hours, budgets],
  [
    json('timesheets', rowsOf(hours)),
    json('projects', {
      Atlas: { budget_hours: 400, spent_hours: 312.5, deadline: '2024-06-28' },
      Borealis: { budget_hours: 650, spent_hours: 488, deadline: '2024-09-13' },
    }),
  ],
  `
Mira worked {31.5 hours=h1.hours} on Atlas in week {18=h1.week}, of which {28=h1.billable} were billable, and
{26 hours=h5.hours} in week {19=h5.week}.

Joan split her week between Atlas ({12 h=h2.hours}) and Borealis ({22.5 h=h3.hours}).

Tom logged {38 hours=h4.hours} on Borealis in week {18=h1.week} and {35.5=h6.hours} in week {19=h5.week}; billable were
{30=h4.billable} and {30!date h6.billable <- h4.billable}, respectively.

Atlas has used {312.5=at.spent_hours} of its {400=at.budget_hours} budgeted hours, Borealis {488=bo.spent_hours} of
{650=bo.budget_hours}.

Atlas has a budget of {400 hours=at.budget_hours} and must be finished by
{13 September!place at.deadline <- bo.deadline}; {312.5 hours=at.spent_hours} are spent.

- Atlas: {87.5 hours=at.budget_hours-at.spent_hours} left, due {28 June 2024=at.deadline}
- Borealis: {162 hours=bo.budget_hours-bo.spent_hours} left, due {13 September 2024=bo.deadline}

Joan bills {€110=h2.rate_eur} an hour, Mira {€95=h1.rate_eur} and Tom {€110!place h4.rate_eur <- h2.rate_eur}.

Mira's billable hours in week {18=h1.week} are worth {€2,660=h1.billable*h1.rate_eur}, and those of week {19=h5.week}
{€2,375=h5.billable*h5.rate_eur}.

In week {18=h1.week} the team recorded {104 hours=h1.hours+h2.hours+h3.hours+h4.hours}, of which
{90 hours=h1.billable+h2.billable+h3.billable+h4.billable} can be billed.

Joan's hours on Borealis were all billable ({22.5=h3.billable} of {22.5=h3.hours}); on Atlas only {12!quantity h2.billable <- h2.hours}
of {12=h2.hours} were.

Atlas is at {78%=share(at.spent_hours, at.budget_hours)} of its budget, Borealis at
{85%!derived share(bo.spent_hours, bo.budget_hours)}.

The longest week was Tom's in week {18=h1.week}, with {38 hours=max(all.hours)}. The shortest entry is Joan's on Atlas,
{22.5 hours!extreme min(all.hours) <- h3.hours}.

Borealis has {650=bo.budget_hours} hours in total. It has used {488=bo.spent_hours}, almost
{80%!hedge share(bo.spent_hours, bo.budget_hours) ; 75 is not near 80}, and its deadline is {September 13=bo.deadline}.

Mira's hours dropped from {31.5=h1.hours} to {26=h5.hours}, {5.5=h1.hours-h5.hours} fewer than the week before, yet
her billable share rose to {96%=share(h5.billable, h5.hours)}.

Tom spent {35.5 days!unit ; the source has hours} on Borealis in week {19=h5.week}, and Mira {26 hours=h5.hours} on Atlas.
`,
);
