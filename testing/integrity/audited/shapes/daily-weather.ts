import { auditedShape } from '../shape';
import { columnsOf, json, table } from '../../table';

const days = table(`
day | date | high_c | low_c | rain_mm | wind_kmh | gust_kmh | humidity_pct
mon | 2024-06-03 | 18.4 | 9.1 | 0.0 | 14 | 31 | 62
tue | 2024-06-04 | 21.7 | 11.3 | 0.4 | 11 | 24 | 58
wed | 2024-06-05 | 16.2 | 10.8 | 12.6 | 27 | 58 | 83
thu | 2024-06-06 | 13.9 | 8.2 | 21.3 | 33 | 71 | 91
fri | 2024-06-07 | 15.5 | 6.7 | 3.8 | 22 | 46 | 77
sat | 2024-06-08 | 19.8 | 7.9 | 0.0 | 9 | 19 | 54
sun | 2024-06-09 | 23.6 | 12.5 | 0.0 | 12 | 28 | 49
`);

export const dailyWeather = auditedShape(
  'daily weather',
  [days],
  [
    json('forecast', {
      city: 'Bergen',
      daily: columnsOf(days),
      units: { temperature: '°C', rain: 'mm', wind: 'km/h' },
    }),
  ],
  `
Bergen starts the week mild, with a high of {18.4 °C=mon.high_c} on Monday and {21.7 °C=tue.high_c}
on Tuesday. Rain sets in on Wednesday ({12.6 mm=wed.rain_mm}) and peaks on Thursday at
{21.3 mm=thu.rain_mm}.

On {5 June=wed.date} the high is {16.2 °C=wed.high_c} and the low {10.8 °C=wed.low_c}; on
{6 June=thu.date} they are {13.9 °C=thu.high_c} and {6.7 °C!date thu.low_c <- fri.low_c}.

- **Warmest day:** Sunday, {June 9=sun.date}, {23.6 °C=max(all.high_c)}
- **Coldest night:** {6.7 °C=min(all.low_c)} on {June 7=fri.date}
- **Total rain:** {38.1 mm=sum(all.rain_mm)}
- **Strongest gust:** {71 km/h=max(all.gust_kmh)}

Winds are light at {9 km/h=sat.wind_kmh} on Saturday, while gusts reach
{33 km/h!quantity thu.gust_kmh <- thu.wind_kmh} on Thursday, {June 6=thu.date}.

Expect {16 °C=wed.high_c} on Wednesday, {13 °C!rounding thu.high_c ; 13.9 cut off} on
Thursday and {16 °C=fri.high_c} on Friday.

The weekend dries out: no rain on either day, highs of {19.8=sat.high_c} and
{23.6 degrees=sun.high_c}, and humidity falling to {54%=sat.humidity_pct} on Saturday and
{49%=sun.humidity_pct} on Sunday.

Thursday, {6 June=thu.date}, is the worst day of the week. It brings {21.3 mm=thu.rain_mm} of rain.
Winds average {33 km/h=thu.wind_kmh}, with gusts up to {58 km/h!date thu.gust_kmh <- wed.gust_kmh},
and humidity climbs to {91%=thu.humidity_pct}.

Sunday tops out at {23.6 °C=sun.high_c} ({74.5 °F=sun.high_c*1.8+32}), a good
{9.7 °C=sun.high_c-thu.high_c} warmer than Thursday.

Tuesday reaches {21.7 °C=tue.high_c} ({66.1 °F!unit tue.high_c*1.8+32}), with a low of
{11.3 °C=tue.low_c}.

Temperatures range from a low of {6.7 °C=min(all.low_c)} to a high of
{21.7 °C!extreme max(all.high_c) <- tue.high_c} over the week, with about {38 mm~sum(all.rain_mm)}
of rain in total.

Rain falls on {4 days=above(all.rain_mm, 0)} of the {7=count(all.rain_mm)}. The wettest,
{6 June=thu.date}, sees {21.3 cm!unit ; the source has millimetres}.

Humidity rises from {58%=tue.humidity_pct} on {4 June=tue.date} to {83%=wed.humidity_pct} the next
day, and peaks at {91%=max(all.humidity_pct)} on Thursday.

Between {3 June=mon.date} and {9 June=sun.date}, overnight lows stay between {6.7=min(all.low_c)}
and {12.5 °C=max(all.low_c)}. The average high is {18.4 °C=avg(all.high_c)}.

From Friday to Sunday the high climbs by {8.1 °C=sun.high_c-fri.high_c}. The low goes from
{6.7 °C=fri.low_c} to {12.5 °C=sun.low_c}. The average high of the week is
{17.6 °C!derived avg(all.high_c)}.

Saturday will be calm: {9 km/h=sat.wind_kmh} with gusts of nearly {20 km/h~sat.gust_kmh}, a high of
{19.8 °C=sat.high_c}, and UV index {6!invented ; the source has no UV index}.
`,
);
