import { auditedShape } from '../shape';
import { csv, plain, table } from '../../table';

const stock = table(`
sku | sku | name | warehouse | on_hand | reserved | reorder_at | unit_cost_usd | weight_kg
drill | DR-18 | Cordless drill | Lyon | 142 | 37 | 60 | 58.90 | 1.6
saw | SW-07 | Circular saw | Lyon | 28 | 12 | 40 | 96.50 | 3.9
sander | SA-22 | Belt sander | Porto | 75 | 0 | 25 | 71.25 | 2.8
ladder | LD-30 | Step ladder | Porto | 9 | 4 | 15 | 43.80 | 6.7
vise | VS-12 | Bench vise | Ghent | 310 | 85 | 100 | 24.15 | 5.2
`);

export const inventory = auditedShape(
  'inventory',
  [stock],
  [plain('stock.csv', csv(stock))],
  `
We have {142=drill.on_hand} cordless drills in Lyon, {37=drill.reserved} of them reserved, so
{105=drill.on_hand-drill.reserved} can be sold.

Two items are below their reorder point: the circular saw ({28=saw.on_hand} on hand, reorder at
{40=saw.reorder_at}) and the step ladder ({9=ladder.on_hand}, reorder at {15=ladder.reorder_at}).

The belt sander (SA-22) costs {$71.25=sander.unit_cost_usd} and weighs {2.8 kg=sander.weight_kg}; the bench vise
costs {$24.15=vise.unit_cost_usd} and weighs {6.7 kg!place vise.weight_kg <- ladder.weight_kg}.

In Porto there are {75=sander.on_hand} belt sanders and {9=ladder.on_hand} step ladders, with
{0=sander.reserved} and {4=ladder.reserved} reserved.

The vise in Ghent is the best stocked item at {310=max(all.on_hand)} units, {100!quantity vise.reserved <- vise.reorder_at}
of which are reserved.

- DR-18: {142=drill.on_hand}
- SW-07: {28=saw.on_hand}
- SA-22: {75=sander.on_hand}
- LD-30: {15!quantity ladder.on_hand <- ladder.reorder_at}
- VS-12: {310=vise.on_hand}

A circular saw weighs {3.9 kg=saw.weight_kg} ({8.6 lb=saw.weight_kg*2.20462}), a drill {1.6 kg=drill.weight_kg}
({3.5 lb=drill.weight_kg*2.20462}).

The step ladder weighs {6.7 lb!unit ; the source has kilograms}, costs {$43.80=ladder.unit_cost_usd} and there
are {9=ladder.on_hand} left.

All in all {564=sum(all.on_hand)} units are on hand and {138=sum(all.reserved)} are reserved.

The cheapest item is the bench vise at {$24.15=min(all.unit_cost_usd)}; the most expensive is the circular saw
at {$71.25!extreme max(all.unit_cost_usd) <- sander.unit_cost_usd}.

The stock of drills is worth {$8,363.80=drill.on_hand*drill.unit_cost_usd}, that of vises
{$7,486.50=vise.on_hand*vise.unit_cost_usd}.

There are {28=saw.on_hand} circular saws at {$95.60!digits saw.unit_cost_usd ; two digits are exchanged}, of which
{12=saw.reserved} are reserved.

To get back to the reorder point, order {12=saw.reorder_at-saw.on_hand} circular saws and
{5!derived ladder.reorder_at-ladder.on_hand} step ladders.

More than {300~vise.on_hand} vises are in Ghent. Of the drills in Lyon, {26%=share(drill.reserved, drill.on_hand)}
are reserved, of the saws {43%=share(saw.reserved, saw.on_hand)}.

The drill (DR-18) costs {$58!rounding drill.unit_cost_usd ; 58.90 cut off}, the saw {$97=saw.unit_cost_usd} and the
sander {$71=sander.unit_cost_usd}.
`,
);
