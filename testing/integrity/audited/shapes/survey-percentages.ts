import { auditedShape } from '../shape';
import { json, rowsOf, table } from '../../table';

const answers = table(`
question | question | very_satisfied_pct | satisfied_pct | neutral_pct | dissatisfied_pct | mean_score | responses
speed | Response speed | 31 | 42 | 15 | 12 | 3.9 | 1218
price | Value for money | 18 | 37 | 24 | 21 | 3.4 | 1204
staff | Friendliness | 54 | 33 | 9 | 4 | 4.3 | 1231
app | Mobile app | 12 | 28 | 26 | 34 | 2.9 | 987
`);
const waves = table(`
wave | year | nps | response_rate_pct | invited
w21 | 2021 | 27 | 38.2 | 3150
w22 | 2022 | 24 | 41.6 | 3020
w23 | 2023 | 33 | 44.5 | 2790
`);

export const surveyPercentages = auditedShape(
  'survey percentages',
  [answers, waves],
  [
    json('survey', { wave: 2023, questions: rowsOf(answers) }),
    json('history', { waves: rowsOf(waves) }),
  ],
  `
Customers are happiest with friendliness: {54%=staff.very_satisfied_pct} are very satisfied and another
{33%=staff.satisfied_pct} satisfied. The mean score is {4.3=staff.mean_score}.

The mobile app does worst. Only {12%=app.very_satisfied_pct} are very satisfied, {34%=app.dissatisfied_pct} are
dissatisfied, and the mean score is {2.9=min(all.mean_score)}.

The NPS fell from {27=w21.nps} in {2021=w21.year} to {24=w22.nps} in {2022=w22.year} and recovered to
{33=w23.nps} in {2023=w23.year}.

In {2022=w22.year}, {3,020=w22.invited} customers were invited and {44.5%!date w22.response_rate_pct <- w23.response_rate_pct}
responded.

For value for money, {37%=price.satisfied_pct} are satisfied and {24%=price.neutral_pct} neutral; for response
speed it is {42%=speed.satisfied_pct} and {24%!place speed.neutral_pct <- price.neutral_pct}.

Taken together, {73%=speed.very_satisfied_pct+speed.satisfied_pct} are satisfied or very satisfied with the
response speed, {87%=staff.very_satisfied_pct+staff.satisfied_pct} with the staff.

- Response speed: {3.9=speed.mean_score}
- Value for money: {3.4=price.mean_score}
- Friendliness: {4.3=staff.mean_score}
- Mobile app: {2.9=app.mean_score}

The NPS gained {9 points=w23.nps-w22.nps} in {2023=w23.year} after losing {3=w21.nps-w22.nps} the year before.

The response rate has risen every year, from {38.2%=w21.response_rate_pct} to {41%!rounding w22.response_rate_pct ; 41.6 cut off} to
{44.5%=w23.response_rate_pct}, although fewer people were invited: {2,790=w23.invited} instead of
{3,150=w21.invited}.

One in five respondents ({12%!place price.dissatisfied_pct <- speed.dissatisfied_pct}) is dissatisfied with value
for money, and {18%=price.very_satisfied_pct} are very satisfied.

Friendliness had the most responses ({1,231=max(all.responses)}) and the mobile app the fewest
({1,204!extreme min(all.responses) <- price.responses}).

In {2023=w23.year} the NPS reached {33=w23.nps}. A year earlier it was {27!date w22.nps <- w21.nps}, two years
earlier {27=w21.nps}.

Dissatisfaction with the app ({34%=app.dissatisfied_pct}) is nearly three times that with speed
({12%=speed.dissatisfied_pct}). Only {4%=staff.dissatisfied_pct} complain about the staff.

About {1,000~app.responses} people rated the app and just over {1,200~price.responses} the prices, which scored
{3.9!place price.mean_score <- speed.mean_score}.

## Results For {2023=w23.year}
The NPS is {33=w23.nps}, the response rate {44.5%=w23.response_rate_pct}, and {62%!invented ; no such question} would
recommend us to a friend.
`,
);
