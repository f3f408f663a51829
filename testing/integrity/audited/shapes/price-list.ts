import { auditedShape } from '../shape';
import { markdown, plain, table } from '../../table';

const menu = table(`
item | Item | Size (ml) | Price (USD) | Calories | Caffeine (mg)
esp | Espresso | 30 | 2.75 | 3 | 64
cap | Cappuccino | 180 | 4.10 | 110 | 75
lat | Latte | 350 | 4.65 | 190 | 128
moc | Mocha | 350 | 5.20 | 290 | 152
chai | Chai Latte | 350 | 4.80 | 240 | 50
cold | Cold Brew | 475 | 4.40 | 5 | 205
`);
const named = table(`
item | size | price | kcal | caffeine
esp | 30 | 2.75 | 3 | 64
cap | 180 | 4.10 | 110 | 75
lat | 350 | 4.65 | 190 | 128
moc | 350 | 5.20 | 290 | 152
chai | 350 | 4.80 | 240 | 50
cold | 475 | 4.40 | 5 | 205
`);

export const priceList = auditedShape(
  'price list',
  [named],
  [plain('menu.md', `# Coffee menu\n\n${markdown(menu)}\n`)],
  `
An espresso costs {$2.75=esp.price}, a cappuccino {$4.10=cap.price} and a latte {$4.65=lat.price}.

The mocha is the most expensive drink at {$5.20=max(all.price)}, and with {290 calories=moc.kcal} also the
richest.

A latte has {190 calories=lat.kcal} and {128 mg=lat.caffeine} of caffeine; a chai latte has
{240=chai.kcal} and {75 mg!place chai.caffeine <- cap.caffeine}.

For caffeine, choose the Cold Brew ({205 mg=cold.caffeine}) or the Mocha ({152 mg=moc.caffeine}). If you
want little of it, the Chai Latte has only {50 mg=min(all.caffeine)}.

* Espresso – {$2.75=esp.price} for {30 ml=esp.size}
* Latte – {$4.65=lat.price} for {350 ml=lat.size}
* Cold Brew – {$4.40=cold.price} for {350 ml!place cold.size <- lat.size}

The cold brew is the largest drink: {475 ml=cold.size}, about {16 fl oz=cold.size/29.5735}. It costs
{$4.40=cold.price} and has just {5 calories=cold.kcal}.

The cheapest drink is the espresso at {$2.75=esp.price}; the next is the cappuccino at
{$4.40!place cap.price <- cold.price}.

A latte and a mocha together come to {$9.85=lat.price+moc.price}. The mocha is {55 cents=100*(moc.price-lat.price)} more.

A cappuccino is {180 ml=cap.size}, costs {$4.10=cap.price} and has {75 calories!quantity cap.kcal <- cap.caffeine}.

Three drinks come in the {350 ml=lat.size} size: Latte ({$4.65=lat.price}), Mocha ({$5.20=moc.price}) and
Chai Latte ({$4.80=chai.price}).

The Latte costs {€4.65!unit ; the list is in dollars} and the Chai Latte {$4.80=chai.price}.

Prices run from {$2.75=min(all.price)} to {$4.80!extreme max(all.price) <- chai.price}, with an average of
{$4.32=avg(all.price)}.

An espresso has {64 mg=esp.caffeine} of caffeine in {30 ml=esp.size}, so {2.1 mg=esp.caffeine/esp.size} per
millilitre. A latte has {0.37 mg=lat.caffeine/lat.size}.

The Mocha has {100=moc.kcal-lat.kcal} more calories than the Latte, {290=moc.kcal} against
{190=lat.kcal}, and costs {$0.65!derived moc.price-lat.price} more.

Sugar: the Chai Latte has {42 g!invented ; the menu lists no sugar}, and {240 calories=chai.kcal} for
{350 ml=chai.size}.
`,
);
