import { auditedShape } from '../shape';
import { json, plain, table } from '../../table';

const rates = table(`
rate | usd | gbp | jpy | nok | chf
d1 | 1.0842 | 0.8561 | 157.23 | 11.412 | 0.9418
d2 | 1.0815 | 0.8548 | 158.04 | 11.387 | 0.9433
d3 | 1.0877 | 0.8532 | 156.61 | 11.465 | 0.9397
`);
const days = table(`
day | date
d1d | 2024-03-18
d2d | 2024-03-19
d3d | 2024-03-20
`);

const perDay = (name: string): Record<string, number> =>
  Object.fromEntries(
    rates.columns.map((column) => [column.toUpperCase(), Number(rates.rows.get(name)?.[column])]),
  );

export const exchangeRates = auditedShape(
  'exchange rates',
  [rates, days],
  [
    json('get_rates', {
      base: 'EUR',
      rates: { '2024-03-18': perDay('d1'), '2024-03-19': perDay('d2'), '2024-03-20': perDay('d3') },
    }),
    plain(
      'request',
      'Customer wants to change 250.00 EUR on 2024-03-20. Fee: 1.5 % of the amount.',
    ),
  ],
  `
On {18 March 2024=d1d.date} one euro bought {1.0842=d1.usd} US dollars or {0.8561=d1.gbp} pounds.

The euro rose to {1.0877 dollars=d3.usd} on {20 March=d3d.date}, after {1.0815=d2.usd} the day before.

EUR/USD: {1.0842=d1.usd} ({March 18=d1d.date}), {1.0815=d2.usd} ({March 19=d2d.date}),
{1.0877=d3.usd} ({March 20=d3d.date})

On {19 March=d2d.date} the euro stood at {158.04 yen=d2.jpy} and {11.412 kroner!date d2.nok <- d1.nok}.

One euro was worth {0.9418 francs=d1.chf} on Monday, {18 March=d1d.date}. By Wednesday it was
{0.9433!date d3.chf <- d2.chf}.

The Norwegian krone weakened from {11.387=d2.nok} to {11.465=d3.nok} per euro between {19=d2d.date} and
{20 March=d3d.date}.

At the rate of {20 March=d3d.date}, {250 euros=250} are {$271.93=250*d3.usd}. The fee of {1.5%=1.5} comes to
{€3.75=250*1.5/100}.

The pound strengthened on each day: {0.8561=d1.gbp}, {0.8548=d2.gbp} and {0.8532=d3.gbp} to the euro.

The yen was weakest on {19 March=d2d.date}, at {158.04=max(all.jpy)}, and strongest on {18 March!date d3d.date <- d1d.date},
at {156.61=min(all.jpy)}.

For {250 EUR=250} the customer receives {2,866.25 NOK=250*d3.nok} on {March 20=d3d.date}, or
{39,510 JPY!date 250*d3.jpy <- 250*d2.jpy}.

The dollar rate moved by {0.57%=pct(d2.usd, d3.usd)} on the last day, from {1.0815=d2.usd} to {1.0877=d3.usd}.

On {20 March=d3d.date}: {1.0877 USD=d3.usd}, {0.8532 GBP=d3.gbp}, {156.61 JPY=d3.jpy}, {11.465 NOK=d3.nok} and
{0.9433 CHF!date d3.chf <- d2.chf}.

The euro rose {0.25%!sign pct(d1.usd, d2.usd) ; it fell by that much} against the dollar on {19 March=d2d.date} and gained
{0.52%=pct(d1.jpy, d2.jpy)} against the yen.

The euro traded between {1.0815=min(all.usd)} and {1.0842!extreme max(all.usd) <- d1.usd} dollars over the three
days.

One dollar cost {0.92 euros=1/d3.usd} on {20 March=d3d.date}. A pound cost {€1.17=1/d3.gbp}, and a Canadian dollar
{€0.68!invented ; no such rate in the source}.
`,
);
