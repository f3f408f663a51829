import { auditedShape } from '../shape';
import { keyValues, plain, table } from '../../table';

const lakes = table(`
lake | Name | Country | Area (km²) | Max depth (m) | Elevation (m) | First surveyed
mjo | Mjøsa | Norway | 369 | 453 | 123 | 1858
van | Vänern | Sweden | 5650 | 106 | 44 | 1779
com | Como | Italy | 146 | 425 | 198 | 1865
oh | Ohrid | North Macedonia | 358 | 288 | 693 | 1891
bal | Balaton | Hungary | 592 | 12 | 104 | 1776
`);
const named = table(`
lake | area | depth | elevation | surveyed
mjo | 369 | 453 | 123 | 1858
van | 5650 | 106 | 44 | 1779
com | 146 | 425 | 198 | 1865
oh | 358 | 288 | 693 | 1891
bal | 592 | 12 | 104 | 1776
`);

export const geographicFacts = auditedShape(
  'geographic facts',
  [named],
  [plain('lakes.txt', keyValues(lakes))],
  `
Mjøsa in Norway covers {369 km²=mjo.area} and is {453 m=mjo.depth} deep, which makes it the deepest of the five
lakes.

Vänern is by far the largest, with {5,650 km²=van.area}. Its depth, however, is only {106 m=van.depth}.

Lake Como lies {198 m=com.elevation} above sea level and is {425 m=com.depth} deep. It was first surveyed in
{1858!place com.surveyed <- mjo.surveyed}.

Ohrid and Balaton differ greatly in depth: {288 metres=oh.depth} against {12 metres=bal.depth}.

Lake Ohrid, at {693 m=oh.elevation}, is the highest of these lakes, followed by Como at {198 m=com.elevation} and Mjøsa
at {104 m!place mjo.elevation <- bal.elevation}.

Balaton was surveyed in {1776=bal.surveyed}, Vänern three years later in {1779=van.surveyed}, and Ohrid not until
{1891=oh.surveyed}.

Mjøsa has an area of {369 km²=mjo.area} ({142 square miles=mjo.area*0.386102}) and a maximum depth of {453 m=mjo.depth}
({1,486 ft=mjo.depth*3.28084}).

Como is {425 m=com.depth} ({1,934 ft!unit com.depth*3.28084}) deep and has a surface of {146 km²=com.area}.

The smallest lake is Como with {146 km²=min(all.area)}, and the shallowest is Balaton with
{106 m!extreme min(all.depth) <- van.depth}.

Vänern is about {15=van.area/mjo.area} times as large as Mjøsa and lies {79 m=mjo.elevation-van.elevation} lower.

1. Vänern – {5,650 km²=van.area}
2. Balaton – {592 km²=bal.area}
3. Mjøsa – {358 km²!place mjo.area <- oh.area}
4. Ohrid – {358 km²=oh.area}
5. Como – {146 km²=com.area}

Mjøsa's surface lies at {123 m=mjo.elevation}, so its bottom is {330 m=mjo.depth-mjo.elevation} below sea level. For Como
the figure is {227 m=com.depth-com.elevation}.

Together the five lakes cover {7,115 km²=sum(all.area)}; Vänern alone accounts for {79%=share(van.area, sum(all.area))}
of that.

Balaton covers {592 square miles!unit ; the source has square kilometres} and is just {12 m=bal.depth} deep; its
surface lies {104 m=bal.elevation} above the sea.

Ohrid has {358 km²=oh.area}, a depth of {693 m!quantity oh.depth <- oh.elevation}, and {21 fish species!invented ; the source
has no fish}.
`,
);
