/**
 * Words and signs for the unit, scale or currency of a figure. Maps, not plain objects, since keys
 * come from answers.
 */

const CURRENCY_CODES =
  'USD EUR GBP JPY CNY CHF AUD CAD NZD HKD SGD SEK NOK DKK PLN CZK HUF RON BGN TRY RUB UAH INR PKR BDT IDR MYR PHP THB VND KRW TWD BRL MXN ARS CLP COP PEN ZAR NGN KES EGP MAD ILS AED SAR QAR KWD ISK';

/** ISO 4217 codes that count next to a figure. */
export const currencyCodes: ReadonlySet<string> = new Set(CURRENCY_CODES.split(' '));

/**
 * Signs before or after an amount. A bare `$` is USD, a bare `¥` JPY: other meanings are not
 * guessed.
 */
export const currencySigns: ReadonlyMap<string, string> = new Map([
  ['$', 'USD'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['¥', 'JPY'],
  ['￥', 'JPY'],
  ['₹', 'INR'],
  ['₩', 'KRW'],
  ['₽', 'RUB'],
  ['₺', 'TRY'],
  ['₴', 'UAH'],
  ['₪', 'ILS'],
  ['₫', 'VND'],
  ['฿', 'THB'],
  ['₱', 'PHP'],
  ['₦', 'NGN'],
]);

/** Letters that precede `$`. */
export const dollarPrefixes: ReadonlyMap<string, string> = new Map([
  ['US', 'USD'],
  ['A', 'AUD'],
  ['AU', 'AUD'],
  ['C', 'CAD'],
  ['CA', 'CAD'],
  ['NZ', 'NZD'],
  ['HK', 'HKD'],
  ['S', 'SGD'],
  ['R', 'BRL'],
  ['MX', 'MXN'],
  ['NT', 'TWD'],
]);

/** Words after an amount; "pounds" is omitted: it is also a weight. */
export const currencyWords: ReadonlyMap<string, string> = new Map([
  ['dollar', 'USD'],
  ['dollars', 'USD'],
  ['euro', 'EUR'],
  ['euros', 'EUR'],
  ['yen', 'JPY'],
  ['rupees', 'INR'],
  ['yuan', 'CNY'],
  ['francs', 'CHF'],
]);

/** Words and letters that multiply, as powers of ten. */
export const scaleWords: ReadonlyMap<string, number> = new Map([
  ['hundred', 2],
  ['thousand', 3],
  ['million', 6],
  ['millions', 6],
  ['mn', 6],
  ['mln', 6],
  ['billion', 9],
  ['billions', 9],
  ['bn', 9],
  ['bln', 9],
  ['trillion', 12],
  ['trillions', 12],
  ['tn', 12],
  ['trn', 12],
  ['lakh', 5],
  ['crore', 7],
]);

/** Letters that multiply right after the digits. */
export const scaleLetters: ReadonlyMap<string, number> = new Map([
  ['k', 3],
  ['M', 6],
]);
/** Letters that may multiply or be a unit (kelvin, bytes): both readings are kept. */
export const ambiguousScales: ReadonlyMap<string, number> = new Map([
  ['K', 3],
  ['B', 9],
]);
/**
 * Letters that multiply only amounts of money; otherwise they are units (metres, bytes, tonnes).
 */
export const moneyScales: ReadonlyMap<string, number> = new Map([
  ['m', 6],
  ['b', 9],
  ['B', 9],
  ['K', 3],
  ['t', 12],
  ['T', 12],
  ['mm', 6],
  ['MM', 6],
]);

const UNITS =
  '° °C °F °K º ºC ºF ℃ ℉ K m mm cm dm km mi ft yd in nm µm μm m² km² m2 km2 m³ m3 ha acres acre ' +
  'm/s km/h kmh kph mph kn kt knots ft/s Pa hPa kPa MPa mbar bar psi atm mmHg inHg ' +
  'B kB KB MB GB TB PB EB KiB MiB GiB TiB Ki Mi Gi Ti G b bit bits byte bytes bps kbps Kbps Mbps Gbps kb/s Mb/s Gb/s KB/s MB/s GB/s ' +
  'ns µs μs us ms s sec secs min mins h hr hrs d wk mo yr yrs w y ' +
  'g kg mg µg μg lb lbs oz t kt Mt Gt tonnes tons ton W kW MW GW TW Wh kWh MWh GWh TWh J kJ MJ kcal cal V mV kV A mA mAh Ah Ω ohm ' +
  'Hz kHz MHz GHz THz px pt em rem dpi ppi l L ml mL cl dl gal rpm fps rps qps req/s tps iops IOPS x × pp bp ‰ ppm ppb dB dBm lx lm mol ' +
  'USD/h cores vCPU vCPUs m/s² cd rad sr N kN Nm';
const UNIT_WORDS =
  'degree degrees celsius fahrenheit kelvin second seconds minute minutes hour hours day days week weeks month months year years ' +
  'millisecond milliseconds microseconds nanoseconds metre metres meter meters kilometre kilometres kilometer kilometers ' +
  'centimetre centimetres centimeter centimeters millimetre millimetres millimeter millimeters mile miles foot feet inch inches ' +
  'hectopascal hectopascals pascal pascals millibar millibars kilogram kilograms gram grams pound pounds ounce ounces ' +
  'kilobytes megabytes gigabytes terabytes megabyte gigabyte terabyte kilobyte watt watts kilowatts megawatts kilowatt megawatt volts amps ' +
  'hertz kilohertz megahertz gigahertz pixel pixels litre litres liter liters points times tokens cents pence';

/** Units as written; letters keep their case, since mW and MW differ. */
export const units: ReadonlySet<string> = new Set(UNITS.split(' '));
/** Unit words, lower case. */
export const unitWords: ReadonlySet<string> = new Set(UNIT_WORDS.split(' '));

const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/** English month names and their short forms, lower case, to 1..12. */
export const months: ReadonlyMap<string, number> = new Map([
  ...MONTHS.map((name, i): [string, number] => [name, i + 1]),
  ...MONTHS.map((name, i): [string, number] => [name.slice(0, 3), i + 1]),
  ['sept', 9],
]);
