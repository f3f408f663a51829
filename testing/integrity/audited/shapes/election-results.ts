import { auditedShape } from '../shape';
import { json, rowsOf, table } from '../../table';

const districts = table(`
district | district | eligible | votes_cast | turnout_pct | green_pct | labour_pct | centre_pct | winner
north | Northgate | 41820 | 29441 | 70.4 | 21.7 | 44.9 | 33.4 | Labour
harb | Harbour | 36275 | 22998 | 63.4 | 38.2 | 35.6 | 26.2 | Green
mill | Millfield | 52910 | 40158 | 75.9 | 17.3 | 29.8 | 52.9 | Centre
east | Easton | 28640 | 16755 | 58.5 | 31.4 | 46.1 | 22.5 | Labour
`);
const seats = table(`
party | party | seats_2024 | seats_2020 | change
g | Green | 11 | 7 | 4
l | Labour | 19 | 23 | -4
c | Centre | 15 | 15 | 0
`);

export const electionResults = auditedShape(
  'election results',
  [districts, seats],
  [
    json('results', {
      election: 'City council',
      districts: rowsOf(districts),
      seats: rowsOf(seats),
    }),
  ],
  `
Labour won Northgate with {44.9%=north.labour_pct} of the vote, ahead of Centre ({33.4%=north.centre_pct}) and
Green ({21.7%=north.green_pct}).

Turnout was highest in Millfield at {75.9%=max(all.turnout_pct)} and lowest in Easton at
{58.5%=min(all.turnout_pct)}.

In Harbour, the Greens took {38.2%=harb.green_pct} and Labour {35.6%=harb.labour_pct}; in Easton, the Greens took
{31.4%=east.green_pct} and Labour {44.9%!place east.labour_pct <- north.labour_pct}.

The Greens gained {4 seats=g.change}, going from {7=g.seats_2020} in {2020=2020} to {11=g.seats_2024} in
{2024=2024}. Labour lost {4=-l.change}, falling from {23=l.seats_2020} to {19=l.seats_2024}.

Centre keeps its {15 seats=c.seats_2024}, while Labour gains {4!sign l.change ; it lost four} and now has
{19=l.seats_2024}.

Of {41,820=north.eligible} eligible voters in Northgate, {29,441=north.votes_cast} voted, a turnout of
{70.4%=north.turnout_pct}. In Harbour it was {22,998=harb.votes_cast} of {36,275=harb.eligible}.

In Millfield, {52,910!quantity mill.votes_cast <- mill.eligible} people cast a vote, and Centre won with
{52.9%=mill.centre_pct}.

- Northgate: Labour, {44.9%=north.labour_pct}
- Harbour: Green, {38.2%=harb.green_pct}
- Millfield: Centre, {52.9%=mill.centre_pct}
- Easton: Labour, {46.1%=east.labour_pct}

The closest race was Harbour, where {2.6 percentage points=harb.green_pct-harb.labour_pct} separated Green from
Labour. In Millfield the margin was {23.1 points=mill.centre_pct-mill.labour_pct}.

The council has {45 seats=sum(all.seats_2024)}. Labour holds {19=l.seats_2024}, Centre {15=c.seats_2024} and the Greens
{7!date g.seats_2024 <- g.seats_2020}.

Across the four districts {109,352=sum(all.votes_cast)} votes were cast, out of
{159,645=sum(all.eligible)} eligible voters.

The Greens did best in Harbour ({38.2%=max(all.green_pct)}) and worst in Millfield
({21.7%!extreme min(all.green_pct) <- north.green_pct}).

Easton had {28,640=east.eligible} eligible voters and a turnout of {63.4%!place east.turnout_pct <- harb.turnout_pct};
only {16,755=east.votes_cast} went to the polls.

Nearly {30,000~north.votes_cast} people voted in Northgate, just under {23,000~harb.votes_cast} in Harbour and
over {40,000~mill.votes_cast} in Millfield.

Centre received {33.4%=north.centre_pct} in Northgate, {26.2%=harb.centre_pct} in Harbour and
{25.2%!digits east.centre_pct ; the first digits are wrong} in Easton, where turnout was {58.5%=east.turnout_pct}.
`,
);
