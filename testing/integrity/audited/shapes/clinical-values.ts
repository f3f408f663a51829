import { auditedShape } from '../shape';
import { json, rowsOf, table } from '../../table';

const labs = table(`
lab | test | value | unit | reference_low | reference_high | previous
hb | hemoglobin | 11.2 | g/dL | 12.0 | 15.5 | 12.4
glu | glucose | 6.8 | mmol/L | 3.9 | 5.6 | 5.9
cre | creatinine | 94 | µmol/L | 45 | 84 | 78
k | potassium | 4.3 | mmol/L | 3.5 | 5.1 | 4.6
crp | CRP | 27 | mg/L | 0 | 5 | 3
wbc | leukocytes | 11.9 | 10^9/L | 4.0 | 10.0 | 7.2
`);
const vitals = table(`
vital | time | systolic | diastolic | pulse | temp_c | spo2_pct
v1 | 2024-04-11T06:00 | 142 | 88 | 96 | 38.4 | 93
v2 | 2024-04-11T14:00 | 131 | 82 | 88 | 37.9 | 95
v3 | 2024-04-11T22:00 | 124 | 79 | 74 | 37.2 | 97
`);

export const clinicalValues = auditedShape(
  'clinical values',
  [labs, vitals],
  [
    json('labs', {
      patient: { id: 'P-118', age: 67 },
      collected: '2024-04-11T05:40',
      results: rowsOf(labs),
    }),
    json('vitals', rowsOf(vitals)),
  ],
  `
Hemoglobin is low at {11.2 g/dL=hb.value} (reference {12.0=hb.reference_low}–{15.5=hb.reference_high}), down
from {12.4 g/dL=hb.previous}.

Glucose is {6.8 mmol/L=glu.value} and potassium {4.3 mmol/L=k.value}; the previous values were
{5.9=glu.previous} and {4.6=k.previous}, respectively.

CRP has risen from {3=crp.previous} to {27 mg/L=crp.value}, and leukocytes from {7.2=wbc.previous} to
{11.9=wbc.value}, which points to an infection.

Creatinine of {78 µmol/L!date cre.value <- cre.previous} is above the upper limit of
{84=cre.reference_high}; it was {94!date cre.previous <- cre.value} before.

At {06:00=v1.time} the blood pressure was {142=v1.systolic}/{88 mmHg=v1.diastolic} with a pulse of
{96=v1.pulse}. By {22:00=v3.time} it had come down to {124=v3.systolic}/{79=v3.diastolic} with a pulse of
{74=v3.pulse}.

The temperature fell from {38.4 °C=v1.temp_c} in the morning to {37.2 °C=v3.temp_c} at night, while the
oxygen saturation rose from {93%=v1.spo2_pct} to {95%!date v3.spo2_pct <- v2.spo2_pct}.

**Abnormal results**
- Hemoglobin {11.2 g/dL=hb.value}
- Glucose {6.8 mmol/L=glu.value}
- Creatinine {94 µmol/L=cre.value}
- CRP {27 mg/dL!unit ; the source has mg/L}
- Leukocytes {11.9=wbc.value}

The {67=67}-year-old patient had a fever of {38.4 °C=max(all.temp_c)} ({101.1 °F=v1.temp_c*1.8+32}) on
{11 April 2024=v1.time}.

Potassium is normal: {4.6 mmol/L!date k.value <- k.previous}, within {3.5=k.reference_low} to
{5.1=k.reference_high}.

The pulse was {96=v1.pulse} at {6 am=v1.time}, {88=v2.pulse} at {2 pm=v2.time} and {82!quantity v3.pulse <- v2.diastolic}
at {10 pm=v3.time}.

Hemoglobin decreased by {1.2 g/dL=hb.previous-hb.value}, about {10%~abs(pct(hb.previous, hb.value))}, and
creatinine increased by {16 µmol/L=cre.value-cre.previous}.

CRP is {27 mg/L=crp.value}, over {5~crp.value/crp.reference_high} times the limit of {5 mg/L=crp.reference_high}.
Leukocytes are {11.0!digits wbc.value ; the last digit is wrong} against a limit of {10.0=wbc.reference_high}.

The highest systolic pressure of the day was {142 mmHg=max(all.systolic)}; the lowest was
{131 mmHg!extreme min(all.systolic) <- v2.systolic}.

At {14:00=v2.time} the saturation was {95%=v2.spo2_pct}, the pulse {88=v2.pulse} and the temperature
{37 °C!rounding v2.temp_c ; 37.9 cut off}.

The temperature at {14:00=v2.time} was {37.9 °C=v2.temp_c} ({98.9 °F!unit v2.temp_c*1.8+32 ; it is 100.2}), and
the patient received {500 mg!invented ; no medication in the source} of paracetamol.
`,
);
