import { auditedShape } from '../shape';
import { csv, plain, table } from '../../table';

const trains = table(`
train | train | depart_oslo | arrive_drammen | arrive_kristiansand | platform | delay_min | price_nok | seats_left
t1 | IC-701 | 07:25 | 08:02 | 11:58 | 9 | 0 | 449 | 23
t2 | IC-705 | 09:25 | 10:02 | 13:54 | 11 | 6 | 389 | 87
t3 | IC-711 | 13:25 | 14:03 | 18:06 | 9 | 14 | 529 | 4
t4 | IC-717 | 17:25 | 18:01 | 21:51 | 10 | 0 | 599 | 12
`);
export const timetable = auditedShape(
  'timetable',
  [trains],
  [plain('departures.csv', csv(trains))],
  `
The first train, IC-701, leaves Oslo at {07:25=t1.depart_oslo} from platform {9=t1.platform} and reaches
Kristiansand at {11:58=t1.arrive_kristiansand}.

IC-705 departs at {09:25=t2.depart_oslo} and arrives in Drammen at {10:02=t2.arrive_drammen} and in
Kristiansand at {13:54=t2.arrive_kristiansand}.

If you want to travel in the afternoon, IC-711 leaves at {1:25 pm=t3.depart_oslo} and gets in at
{6:06 pm=t3.arrive_kristiansand}. Only {4 seats=t3.seats_left} are left.

The last train leaves at {17:25=t4.depart_oslo} from platform {11!place t4.platform <- t2.platform} and costs
{599 kroner=t4.price_nok}.

- **IC-701** – {07:25=t1.depart_oslo}, {NOK 449=t1.price_nok}, {23 seats=t1.seats_left}
- **IC-705** – {09:25=t2.depart_oslo}, {NOK 389=t2.price_nok}, {87 seats=t2.seats_left}
- **IC-711** – {13:25=t3.depart_oslo}, {NOK 529=t3.price_nok}, {12 seats!place t3.seats_left <- t4.seats_left}

The cheapest ticket is {389 NOK=min(all.price_nok)} on IC-705, which runs {6 minutes=t2.delay_min} late
today.

IC-711 is delayed by {14 minutes=t3.delay_min}; it was to leave at {13:25=t3.depart_oslo}, so expect it at
about {13:45!derived ; 13:25 and 14 minutes are 13:39}.

The {17:25=t4.depart_oslo} train arrives in Drammen at {18:06!place t4.arrive_drammen <- t3.arrive_kristiansand}
and in Kristiansand at {21:51=t4.arrive_kristiansand}.

IC-701 takes {37 minutes=minutes(t1.depart_oslo, t1.arrive_drammen)} to Drammen and {4 hours=(minutes(t1.depart_oslo, t1.arrive_kristiansand)-33)/60} and
{33 minutes=minutes(t1.depart_oslo, t1.arrive_kristiansand)-240} to Kristiansand.

The most expensive train is IC-717 at {NOK 529!extreme max(all.price_nok) <- t3.price_nok}; the cheapest is
IC-705 at {NOK 389=t2.price_nok}.

IC-701 and IC-711 both leave from platform {9=t1.platform}, at {07:25=t1.depart_oslo} and
{13:25=t3.depart_oslo} respectively; IC-705 uses platform {11=t2.platform}.

Two trains run on time. IC-705 is {14 minutes!place t2.delay_min <- t3.delay_min} late and IC-711
{6 minutes!place t3.delay_min <- t2.delay_min}.

You save {60 kroner=t1.price_nok-t2.price_nok} by taking the {09:25=t2.depart_oslo} instead of the
{07:25=t1.depart_oslo}: {389=t2.price_nok} instead of {449=t1.price_nok}.

IC-705 arrives in Kristiansand at {1:54 pm=t2.arrive_kristiansand}, IC-717 at
{8:51 pm!unit t4.arrive_kristiansand ; 21:51 is 9:51 pm}.

Together the four trains have {126=sum(all.seats_left)} free seats, {87=t2.seats_left} of them on IC-705, which
leaves at {9:25=t2.depart_oslo}. Breakfast is served until {10:30!invented ; no meals in the source}.
`,
);
