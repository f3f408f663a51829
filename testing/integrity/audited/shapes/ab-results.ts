import { auditedShape } from '../shape';
import { json, rowsOf, table } from '../../table';

const variants = table(`
variant | variant | users | conversions | conversion_rate | avg_order_usd | bounce_rate | p_value
a | control | 12480 | 561 | 0.0450 | 38.20 | 0.412 | -
b | green-button | 12515 | 638 | 0.0510 | 37.65 | 0.398 | 0.026
c | short-form | 12396 | 709 | 0.0572 | 36.90 | 0.371 | 0.00002
d | no-banner | 12561 | 548 | 0.0436 | 39.05 | 0.425 | 0.61
`);
const period = table(`
run | start | end
run | 2024-01-15 | 2024-02-04
`);

export const abResults = auditedShape(
  'A/B results',
  [variants, period],
  [
    json('experiment', {
      id: 'exp-207',
      start: '2024-01-15',
      end: '2024-02-04',
      confidence: 0.95,
      variants: rowsOf(variants),
    }),
  ],
  `
The control converted {4.5%=100*a.conversion_rate} of {12,480 users=a.users}; green-button converted
{5.1%=100*b.conversion_rate} of {12,515=b.users}.

short-form wins with {709 conversions=c.conversions}, a rate of {5.72%=100*c.conversion_rate}, and the lowest
bounce rate ({37.1%=100*c.bounce_rate}).

no-banner had {548=d.conversions} conversions from {12,561=d.users} users, {4.50%!place 100*d.conversion_rate <- 100*a.conversion_rate},
so it did not help (p = {0.61=d.p_value}).

The average order was {$38.20=a.avg_order_usd} in the control, {$37.65=b.avg_order_usd} with the green button, and
{$36.90=c.avg_order_usd} with the short form.

Bounce rates: {41.2%=100*a.bounce_rate} for control, {39.8%=100*b.bounce_rate} for green-button,
{42.5%!place 100*c.bounce_rate <- 100*d.bounce_rate} for short-form and {42.5%=100*d.bounce_rate} for no-banner.

The test ran from {15 January=run.start} to {4 February 2024=run.end} with {49,952=sum(all.users)} users in total.

Compared with control, short-form lifts conversion by {1.22 percentage points=100*(c.conversion_rate-a.conversion_rate)},
a relative {27%=pct(a.conversion_rate, c.conversion_rate)}.

green-button is significant at the {95%=95} level (p = {0.026=b.p_value}), with {638=b.conversions} conversions
against {561=a.conversions}.

green-button brought {709!place b.conversions <- c.conversions} conversions among {12,515=b.users} users.

- control: {561=a.conversions}/{12,480=a.users}
- green-button: {638=b.conversions}/{12,515=b.users}
- short-form: {709=c.conversions}/{12,396=c.users}
- no-banner: {561!place d.conversions <- a.conversions}/{12,561=d.users}

The highest average order was {$38.20!extreme max(all.avg_order_usd) <- a.avg_order_usd}; the lowest,
{$36.90=min(all.avg_order_usd)}, was that of short-form.

Conversion with the short form was {5.7%=100*c.conversion_rate}, versus {4.4%=100*d.conversion_rate} without a banner and
{4.5%=100*a.conversion_rate} in the control group.

Revenue per user can be estimated at {$2.11=c.conversion_rate*c.avg_order_usd} for short-form and
{$1.92=b.conversion_rate*b.avg_order_usd} for green-button; control is at {$1.82!derived a.conversion_rate*a.avg_order_usd}.

The short form cost {$1.30=a.avg_order_usd-c.avg_order_usd} per order but raised conversions by {148=c.conversions-a.conversions},
from {561=a.conversions} to {709=c.conversions}.

The bounce rate fell by {4.1 points=100*(a.bounce_rate-c.bounce_rate)} with short-form and rose by {1.3=100*(d.bounce_rate-a.bounce_rate)}
with no-banner. Mobile users were {58%!invented ; no devices in the source} of the sample.
`,
);
