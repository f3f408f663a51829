import { auditedShape } from '../shape';
import { json, rowsOf, table } from '../../table';

const meters = table(`
meter | quarter | grid_kwh | solar_kwh | gas_m3 | peak_kw | cost_eur
q1 | 2022-Q1 | 3410 | 380 | 742 | 9.4 | 1486.20
q2 | 2022-Q2 | 2215 | 1190 | 281 | 7.1 | 803.55
q3 | 2022-Q3 | 1980 | 1345 | 96 | 6.6 | 655.10
q4 | 2022-Q4 | 3125 | 410 | 655 | 8.8 | 1352.75
r1 | 2023-Q1 | 3290 | 425 | 698 | 9.1 | 1571.40
r2 | 2023-Q2 | 2040 | 1270 | 247 | 6.9 | 768.30
`);

const site = (year: string): unknown =>
  rowsOf(meters)
    .filter(({ quarter }) => String(quarter).startsWith(year))
    .map(({ quarter, ...rest }) => ({ quarter: String(quarter).slice(5), readings: rest }));

export const energyMeters = auditedShape(
  'energy meters',
  [meters],
  [
    json('meter_readings', {
      site: 'Elm Street',
      years: { '2022': site('2022'), '2023': site('2023') },
    }),
  ],
  `
In Q1 {2022=q1.quarter} the house drew {3,410 kWh=q1.grid_kwh} from the grid; in Q1 {2023=r1.quarter} it was
{3,290 kWh=r1.grid_kwh}.

Solar output peaked in Q3 {2022=q3.quarter} at {1,345 kWh=max(all.solar_kwh)}, and gas use fell to
{96 m³=min(all.gas_m3)} in the same quarter.

Gas consumption in Q4 {2022=q4.quarter} was {742 m³!date q4.gas_m3 <- q1.gas_m3}, and the peak load was
{8.8 kW=q4.peak_kw}.

The bill for Q2 {2023=r2.quarter} was {€768.30=r2.cost_eur}, {€35.25=q2.cost_eur-r2.cost_eur} less than a year earlier
({€803.55=q2.cost_eur}).

Q2 {2022=q2.quarter}: grid {2,215 kWh=q2.grid_kwh}, solar {1,190 kWh=q2.solar_kwh}, gas {281 m³=q2.gas_m3}. Q2
{2023=r2.quarter}: grid {2,040 kWh=r2.grid_kwh}, solar {1,190 kWh!date r2.solar_kwh <- q2.solar_kwh}, gas {247 m³=r2.gas_m3}.

The peak load was {9.4 kW=q1.peak_kw} in Q1 {2022=q1.quarter} and {9.1 kW=r1.peak_kw} in Q1 {2023=r1.quarter}. It never
exceeded {9.4=max(all.peak_kw)}.

The four quarters of {2022=q1.quarter} cost {€4,297.60=sum(q1:q4.cost_eur)} in total. Solar panels produced
{3,325 kWh=sum(q1:q4.solar_kwh)}.

Costs rose by {5.7%=pct(q1.cost_eur, r1.cost_eur)} from Q1 {2022=q1.quarter} to Q1 {2023=r1.quarter}, even though grid
consumption fell by {3.5%=-pct(q1.grid_kwh, r1.grid_kwh)}.

In Q3 {2022=q3.quarter} the house used {1,980 MWh!unit ; the source has kWh} from the grid and paid
{€655.10=q3.cost_eur}.

The cheapest quarter was Q3 {2022=q3.quarter} at {€655.10=min(all.cost_eur)}; the most expensive was Q1 {2022!date r1.quarter <- q1.quarter}
at {€1,571.40=max(all.cost_eur)}.

Solar panels produced {1,345 kWh=q3.solar_kwh} in Q3 {2022=q3.quarter}. The lowest quarter of that year had
{410 kWh!extreme min(q1:q4.solar_kwh) <- q4.solar_kwh}.

From Q3 to Q4 {2022=q4.quarter}, gas use rose from {96=q3.gas_m3} to {655 m³=q4.gas_m3} and the bill more than doubled, from
{€655.10=q3.cost_eur} to {€1,352.75=q4.cost_eur}.

In Q1 {2023=r1.quarter} solar covered {11.4%=share(r1.solar_kwh, r1.solar_kwh+r1.grid_kwh)} of the electricity. A quarter
later the share was {38.4%=share(r2.solar_kwh, r2.solar_kwh+r2.grid_kwh)}.

The peak in Q2 {2023=r2.quarter} was {7.1 kW!date r2.peak_kw <- q2.peak_kw}, down from {9.1 kW=r1.peak_kw} in the previous
quarter.

Grid consumption went up by {6.2%!sign pct(q1.grid_kwh, q4.grid_kwh) ; it fell by 8.4 %} from Q1 to Q4 {2022=q4.quarter}:
{3,410=q1.grid_kwh} to {3,125 kWh=q4.grid_kwh}.
`,
);
