import { auditedShape } from '../shape';
import { markdown, plain, json, rowsOf, table } from '../../table';

const grades = table(`
student | Student | Maths | Physics | History | Absences
ada | Ada Lund | 91 | 88 | 76 | 2
ben | Ben Okafor | 67 | 72 | 85 | 7
cho | Cho Min | 95 | 97 | 82 | 0
dee | Dee Ruiz | 58 | 61 | 79 | 11
eli | Eli Novak | 83 | 79 | 90 | 4
`);
const classes = table(`
year | school_year | students | avg_maths | avg_physics | pass_rate_pct
y1 | 2021/22 | 27 | 71.3 | 69.8 | 88.9
y2 | 2022/23 | 25 | 74.6 | 73.1 | 92.0
y3 | 2023/24 | 28 | 73.2 | 75.4 | 89.3
`);

export const schoolGrades = auditedShape(
  'school grades',
  [grades, classes],
  [plain('grades.md', markdown(grades)), json('history', rowsOf(classes))],
  `
Cho Min has the best marks in maths ({95=cho.Maths}) and physics ({97=cho.Physics}), Eli Novak in history
({90=max(all.History)}).

Ada Lund scored {91=ada.Maths} in maths, {88=ada.Physics} in physics and {85!place ada.History <- ben.History} in
history.

Ben Okafor got {67=ben.Maths} and {72=ben.Physics} in maths and physics, but {85=ben.History} in history. He was absent
{7 times=ben.Absences}.

Dee Ruiz struggles in maths ({58=dee.Maths}) and physics ({61=dee.Physics}); with {11=dee.Absences} absences she has missed
the most days.

In maths, Ada got {91=ada.Maths}, Ben {67=ben.Maths}, Cho {95=cho.Maths}, Dee {61!quantity dee.Maths <- dee.Physics} and Eli
{83=eli.Maths}.

The class average in maths is {78.8=avg(all.Maths)}, in physics {79.4=avg(all.Physics)} and in history
{82.4=avg(all.History)}.

The pass rate rose from {88.9%=y1.pass_rate_pct} to {92%=y2.pass_rate_pct} and then fell back to {89.3%=y3.pass_rate_pct}.

In {2022/23=y2.school_year} the {25 students=y2.students} averaged {74.6=y2.avg_maths} in maths and {73.1=y2.avg_physics} in
physics. The year before, {28!date y1.students <- y3.students} students averaged {71.3=y1.avg_maths} and {69.8=y1.avg_physics}.

Cho was never absent, Ada {2=ada.Absences} days, Eli {4=eli.Absences}, Ben {7=ben.Absences} and Dee {11=dee.Absences}: together
{24 days=sum(all.Absences)}.

The lowest mark in physics is {58!quantity min(all.Physics) <- dee.Maths}, the highest {97=max(all.Physics)}.

Eli Novak: maths {83=eli.Maths}, physics {79=eli.Physics}, history {90=eli.History}, average {84=avg(eli.Maths, eli.Physics, eli.History)}.
Ada Lund: average {86!derived avg(ada.Maths, ada.Physics, ada.History)}.

The physics average has improved each year, from {69!rounding y1.avg_physics ; 69.8 cut off} to {73.1=y2.avg_physics} to {75.4=y3.avg_physics}, while maths
slipped by {1.4 points=y2.avg_maths-y3.avg_maths} last year.

Between {2021/22=y1.school_year} and {2023/24=y3.school_year}, the maths average rose from {71.3=y1.avg_maths} to
{74.6!date y3.avg_maths <- y2.avg_maths}.

Cho's physics mark is {36 points=cho.Physics-dee.Physics} above Dee's. In history the two are only {3=cho.History-dee.History} apart,
{82=cho.History} to {79=dee.History}.

This year's class has {28 students=y3.students} and a pass rate of {89.3%=y3.pass_rate_pct}; {14!invented ; the source does not
count girls} of them are girls.
`,
);
