import { auditedShape } from '../shape';
import { markdown, plain, table } from '../../table';

const shown = table(`
line | USD million | FY2022 | FY2023
rev | Revenue | 1,284.6 | 1,397.2
cogs | Cost of sales | (742.1) | (781.9)
gross | Gross profit | 542.5 | 615.3
rnd | R&D | (118.4) | (139.7)
sga | SG&A | (231.0) | (226.8)
op | Operating income | 193.1 | 248.8
tax | Income tax | (44.3) | (58.1)
net | Net income | 131.6 | 172.4
cash | Cash | 305.9 | 268.2
debt | Debt | 410.0 | 355.5
staff | Employees | 5,120 | 5,386
`);
const amounts = table(`
line | y22 | y23
rev | 1284.6 | 1397.2
cogs | 742.1 | 781.9
gross | 542.5 | 615.3
rnd | 118.4 | 139.7
sga | 231.0 | 226.8
op | 193.1 | 248.8
tax | 44.3 | 58.1
net | 131.6 | 172.4
cash | 305.9 | 268.2
debt | 410.0 | 355.5
staff | 5120 | 5386
`);

export const financialStatement = auditedShape(
  'financial statement',
  [amounts],
  [plain('annual-report.md', `## Income statement and balance sheet\n\n${markdown(shown)}\n`)],
  `
Revenue grew {8.8%=pct(rev.y22, rev.y23)} to {$1,397.2 million=rev.y23*1000000} in FY2023, from
{$1,284.6 million=rev.y22*1000000} the year before.

Net income rose to {$172.4 million=net.y23*1000000}, up from {$131.6 million=net.y22*1000000}. Operating income
was {$248.8 million=op.y23*1000000}.

R&D spending went from {$118.4 million=rnd.y22*1000000} to {$139.7 million=rnd.y23*1000000}, while SG&A fell from
{$231.0 million=sga.y22*1000000} to {$226.8 million=sga.y23*1000000}.

In FY2023 gross profit was {$615.3 million=gross.y23*1000000} and operating income
{$193.1 million!date op.y23*1000000 <- op.y22*1000000}.

Cash declined to {$355.5 million!quantity cash.y23*1000000 <- debt.y23*1000000} in FY2023, from
{$305.9 million=cash.y22*1000000} in FY2022.

**Key figures FY2023**
- Revenue: {$1.40 billion=rev.y23*1000000}
- Gross margin: {44.0%=share(gross.y23, rev.y23)}
- Net margin: {12.3%=share(net.y23, rev.y23)}

Debt was reduced by {$54.5 million=(debt.y22-debt.y23)*1000000}, to {$355.5 million=debt.y23*1000000}. Cash
fell by {$37.7 million=(cash.y22-cash.y23)*1000000}.

The company paid {$58.1 million=tax.y23*1000000} in income tax in FY2023 and {$44.3 million=tax.y22*1000000} in
FY2022.

The workforce grew to {5,386=staff.y23} employees from {5,120=staff.y22}, an increase of
{4.2%!derived pct(staff.y22, staff.y23)}.

Revenue was {$1,397.2 billion!unit rev.y23*1000000 ; the table is in millions}, and net income
{$172.4 million=net.y23*1000000}.

Net income increased by {31.0%=pct(net.y22, net.y23)} in FY2023, to {$172 million=net.y23*1000000}, and revenue by
{$122.6 million!derived (rev.y23-rev.y22)*1000000}.

SG&A rose to {$226.8 million=sga.y23*1000000}, {1.8%!sign pct(sga.y22, sga.y23) ; it fell by that much} more than in
FY2022.

The gross margin improved from {42.2%=share(gross.y22, rev.y22)} to {44.0%=share(gross.y23, rev.y23)} as cost of
sales grew only {5.4%=pct(cogs.y22, cogs.y23)}.

FY2022: revenue {$1,284.6m=rev.y22}, gross profit {$542.5m=gross.y22}, net income {$131.6m=net.y22}. FY2023:
revenue {$1,397.2m=rev.y23}, gross profit {$615.3m=gross.y23}, net income {$131.6m!date net.y23 <- net.y22}.

Operating income came in at {$248.8 million=op.y23*1000000}, about {18%=share(op.y23, rev.y23)} of revenue. Dividends
were {$40.0 million!invented ; no dividends in the report}.
`,
);
