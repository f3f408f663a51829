import { auditedShape } from '../shape';
import { json, rowsOf, table } from '../../table';

const foods = table(`
food | food | serving_g | energy_kcal | protein_g | fat_g | carbs_g | fibre_g | sodium_mg
oats | Rolled oats | 40 | 150 | 5.3 | 2.8 | 27.1 | 4.0 | 2
yog | Greek yoghurt | 170 | 146 | 17.3 | 3.8 | 9.6 | 0.0 | 61
alm | Almonds | 28 | 164 | 6.0 | 14.2 | 6.1 | 3.5 | 1
salm | Smoked salmon | 85 | 99 | 15.5 | 3.7 | 0.0 | 0.0 | 571
lent | Lentil soup | 240 | 186 | 11.4 | 4.9 | 24.8 | 8.7 | 640
`);

export const nutrition = auditedShape(
  'nutrition',
  [foods],
  [json('nutrition_lookup', { per: 'serving', items: rowsOf(foods) })],
  `
A {40 g=oats.serving_g} serving of rolled oats has {150 kcal=oats.energy_kcal}, {5.3 g=oats.protein_g} of protein and
{27.1 g=oats.carbs_g} of carbohydrates.

Greek yoghurt has the most protein, {17.3 g=max(all.protein_g)} a serving, followed by smoked salmon with
{15.5 g=salm.protein_g}.

Almonds bring {14.2 g=alm.fat_g} of fat in just {28 g=alm.serving_g}; lentil soup has
{4.9 g=lent.fat_g} in {170 g!place lent.serving_g <- yog.serving_g}.

Lentil soup is rich in fibre ({8 g!rounding lent.fibre_g ; 8.7 cut off}) but also in sodium ({640 mg=lent.sodium_mg}).

The yoghurt contains {17.3 g=yog.protein_g} of protein, {9.6 g=yog.carbs_g} of carbs, and
{2.8 g!place yog.fat_g <- oats.fat_g} of fat.

| Food | Energy | Protein |
| --- | --- | --- |
| Oats | {150 kcal=oats.energy_kcal} | {5.3 g=oats.protein_g} |
| Almonds | {164 kcal=alm.energy_kcal} | {6.1 g!quantity alm.protein_g <- alm.carbs_g} |
| Salmon | {99 kcal=salm.energy_kcal} | {15.5 g=salm.protein_g} |

Oats with yoghurt make a breakfast of {296 kcal=oats.energy_kcal+yog.energy_kcal} and
{22.6 g=oats.protein_g+yog.protein_g} of protein.

Smoked salmon has {571 mg=salm.sodium_mg} of sodium, almost as much as lentil soup ({640 mg=lent.sodium_mg}). Oats and
almonds have next to none: {2 mg=oats.sodium_mg} and {1 mg=alm.sodium_mg}.

The food with the fewest calories is smoked salmon ({99=min(all.energy_kcal)}), and the one with the most is almonds
({164!extreme max(all.energy_kcal) <- alm.energy_kcal}).

A serving of lentil soup weighs {240 g=lent.serving_g} ({8.5 oz=lent.serving_g/28.3495}) and provides
{186 kcal=lent.energy_kcal} ({778 kJ=lent.energy_kcal*4.184}).

A serving of almonds is {28 g=alm.serving_g} (about {2 oz!unit alm.serving_g/28.3495 ; it is one ounce}) and has
{164 kcal=alm.energy_kcal}.

The soup has {640 g!unit ; the source has milligrams} of sodium and {11.4 g=lent.protein_g} of protein.

Per serving, almonds have {3.5 g=alm.fibre_g} of fibre and oats {4 g=oats.fibre_g}, while yoghurt and salmon have none.

The salmon's {99 calories=salm.energy_kcal} come with {15.5 g=salm.protein_g} of protein, {3.7 g=salm.fat_g} of fat and
{571 mg=salm.sodium_mg} of sodium. Its glycemic index is {0!invented ; the source has no glycemic index}.

Oats have {2.8 g=oats.fat_g} of fat, {27.1 g=oats.carbs_g} of carbohydrates and
{5 g!digits oats.fibre_g ; the source has 4.0} of fibre in a serving of {40 g=oats.serving_g}.
`,
);
