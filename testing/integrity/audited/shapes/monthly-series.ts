import { auditedShape } from '../shape';
import { csv, plain, table } from '../../table';

const months = table(`
month | month | visitors | signups | revenue_eur | churn_pct
jan | 2023-01 | 48210 | 1204 | 91350 | 3.1
feb | 2023-02 | 45980 | 1130 | 88720 | 3.4
mar | 2023-03 | 52740 | 1389 | 99810 | 2.9
apr | 2023-04 | 55120 | 1475 | 104260 | 2.7
may | 2023-05 | 61385 | 1702 | 118940 | 2.2
jun | 2023-06 | 58870 | 1611 | 113475 | 2.5
jul | 2023-07 | 50645 | 1298 | 97630 | 3.0
aug | 2023-08 | 47315 | 1187 | 92085 | 3.6
`);

export const monthlySeries = auditedShape(
  'monthly series',
  [months],
  [plain('metrics.csv', csv(months))],
  `
Visitors rose from {48,210=jan.visitors} in January {2023=jan.month} to {61,385=may.visitors} in May,
an increase of {27.3%=pct(jan.visitors, may.visitors)}.

Signups peaked in May at {1,702=max(all.signups)}. In June they were {1,611=jun.signups}, and in July
{1,187!date jul.signups <- aug.signups}.

Revenue for the second quarter came to {€336,675=sum(apr:jun.revenue_eur)}, compared with
{€279,880=sum(jan:mar.revenue_eur)} in the first.

Churn fell from {3.4%=feb.churn_pct} in February to {2.2%=may.churn_pct} in May, then rose to
{3.6%=aug.churn_pct} in August, the highest value of the period.

Revenue dropped by {7.0%!derived abs(pct(jan.revenue_eur, feb.revenue_eur))} in February, to
{€88,720=feb.revenue_eur}, before recovering to {€99,810=mar.revenue_eur} in March.

In August {2023=aug.month}, the site had {47,315=aug.visitors} visitors and {1,187=aug.signups}
signups; in July it had {50,645=jul.visitors} and {1,298=jul.signups}, respectively.

| Month | Visitors | Revenue |
| --- | --- | --- |
| April | {55,120=apr.visitors} | {€104,260=apr.revenue_eur} |
| May | {61,385=may.visitors} | {€118,940=may.revenue_eur} |
| June | {58,870=jun.visitors} | {€97,630!date jun.revenue_eur <- jul.revenue_eur} |

The best month was May, with {€118,940=max(all.revenue_eur)} of revenue. The weakest was February,
at {€91,350!extreme min(all.revenue_eur) <- jan.revenue_eur}.

March brought {52,740=mar.visitors} visitors, up from {45,980=feb.visitors} the month before. Signups
grew by {259=mar.signups-feb.signups} to {1,389=mar.signups}.

Visits reached {61.4k=may.visitors} in May, while signups stayed at about {1,700~may.signups} and
churn was just {2.2%=may.churn_pct}.

Between June and August the number of visitors shrank from {58,870=jun.visitors} to
{47,315=aug.visitors}. Over the same months revenue went from {€113,475=jun.revenue_eur} to
{€90,285!digits aug.revenue_eur ; two digits are exchanged}.

On average, {52,533=avg(all.visitors)} people visited per month. Signups averaged
{1,375=avg(all.signups)}.

Conversion from visitors to signups was {2.77%=share(may.signups, may.visitors)} in May and
{2.50%=share(jan.signups, jan.visitors)} in January. April had {1,475=apr.signups} signups and
{1,389!quantity apr.visitors ; the signups of March, shown as visitors} visitors.

Revenue in July was {€97.6k=jul.revenue_eur}, {14.0%=abs(pct(jun.revenue_eur, jul.revenue_eur))} below
June. Churn climbed to {3.6%!date jul.churn_pct <- aug.churn_pct} in that month.

In the {8=count(all.visitors)} months from January to August {2023=jan.month}, signups totalled
{10,996=sum(all.signups)} and revenue {€816,270!derived sum(all.revenue_eur)}.
`,
);
