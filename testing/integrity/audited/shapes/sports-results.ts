import { auditedShape } from '../shape';
import { json, rowsOf, table } from '../../table';

const standings = table(`
team | team | played | won | drawn | lost | goals_for | goals_against | points
fal | Falcons | 22 | 14 | 5 | 3 | 41 | 19 | 47
ott | Otters | 22 | 13 | 4 | 5 | 38 | 24 | 43
rav | Ravens | 22 | 9 | 7 | 6 | 33 | 29 | 34
lyn | Lynxes | 21 | 6 | 6 | 9 | 25 | 30 | 24
wol | Wolves | 22 | 3 | 2 | 17 | 16 | 51 | 11
`);
const matches = table(`
match | date | home | away | home_goals | away_goals | attendance
m1 | 2024-03-09 | Falcons | Otters | 3 | 1 | 18420
m2 | 2024-03-10 | Ravens | Wolves | 2 | 0 | 9175
m3 | 2024-03-16 | Otters | Lynxes | 4 | 2 | 12860
m4 | 2024-03-17 | Wolves | Falcons | 0 | 5 | 11040
`);

export const sportsResults = auditedShape(
  'sports results',
  [standings, matches],
  [json('get_league', { season: '2023/24', table: rowsOf(standings), results: rowsOf(matches) })],
  `
The Falcons lead the table with {47 points=fal.points} from {22=fal.played} games, {4=fal.points-ott.points}
ahead of the Otters.

On {9 March=m1.date} the Falcons beat the Otters {3=m1.home_goals}-{1=m1.away_goals} in front of
{18,420=m1.attendance} spectators.

The Otters have won {13=ott.won}, drawn {4=ott.drawn} and lost {5=ott.lost}; the Ravens have won {9=rav.won},
drawn {7=rav.drawn} and lost {5!place rav.lost <- ott.lost}.

The Wolves are bottom with {11 points=wol.points}. They have conceded {51 goals=wol.goals_against} and scored
{16=wol.goals_for}.

The Falcons have scored {41=fal.goals_for} and conceded {24!place fal.goals_against <- ott.goals_against}, and
lost only {3 games=fal.lost}.

- Falcons: {47=fal.points}
- Otters: {43=ott.points}
- Ravens: {33!quantity rav.points <- rav.goals_for}
- Lynxes: {24=lyn.points}
- Wolves: {11=wol.points}

The Wolves lost {0=m4.home_goals}-{5=m4.away_goals} at home to the Falcons on {17 March=m4.date}. A week
earlier, on {March 10=m2.date}, they had lost {2=m2.home_goals}-{0=m2.away_goals} at the Ravens.

The best attendance was {18,420=max(all.attendance)}, at Falcons against Otters; the worst was
{11,040!extreme min(all.attendance) <- m4.attendance}, at Ravens against Wolves.

The goal difference of the Falcons is {+22=fal.goals_for-fal.goals_against}, that of the Otters
{+14=ott.goals_for-ott.goals_against} and that of the Lynxes {+5!sign lyn.goals_for-lyn.goals_against}.

The Lynxes have a game in hand, having played {21=lyn.played} to the {22=rav.played} of the others. They are
on {24 points=lyn.points}.

The Ravens beat the Wolves {2=m2.home_goals}-{1!place m2.away_goals <- m1.away_goals} on {10 March=m2.date},
and the Otters beat the Lynxes {4=m3.home_goals}-{2=m3.away_goals} on
{17 March!date m3.date <- m4.date}.

The Falcons win {64%=share(fal.won, fal.played)} of their games. The Wolves, who have lost {17=wol.lost} of
{22=wol.played}, win {14%=share(wol.won, wol.played)}.

With {38=ott.goals_for} goals scored and {24=ott.goals_against} against, the Otters have a goal difference
of {+16!derived ott.goals_for-ott.goals_against}.

The four games drew {51,495=sum(all.attendance)} people and saw
{17 goals=sum(all.home_goals)+sum(all.away_goals)}, an average attendance of about {13,000~avg(all.attendance)}.

Otters against Lynxes on {16 March=m3.date} was watched by {12,680!digits m3.attendance ; two digits are
exchanged} people and ended {4=m3.home_goals}-{2=m3.away_goals}.
`,
);
