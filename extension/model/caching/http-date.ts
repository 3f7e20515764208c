const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const month = `(?<month>${months.join('|')})`;
const time = String.raw`(?<time>\d{2}:\d{2}:\d{2})`;

/** IMF-fixdate, and the two obsolete forms that a recipient must also parse. */
const forms = [
  String.raw`(?:mon|tue|wed|thu|fri|sat|sun), (?<day>\d{2}) ${month} (?<year>\d{4}) ${time} gmt`,
  String.raw`(?:mon|tues|wednes|thurs|fri|satur|sun)day, (?<day>\d{2})-${month}-(?<year>\d{2}) ${time} gmt`,
  String.raw`(?:mon|tue|wed|thu|fri|sat|sun) ${month} (?<day>[ \d]\d) ${time} (?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`, 'i'));

/**
 * An HTTP-date (RFC 9110 section 5.6.7), ms since the epoch; null for any other text. A two-digit year is at most 50
 * years after `now`. Case is ignored.
 */
export function httpDate(text: string | null, now: number): number | null {
  const parts = forms.map((form) => form.exec((text ?? '').trim())?.groups).find(Boolean);
  if (!parts) return null;
  const { day = '', month: name = '', year = '', time: clock = '' } = parts;
  // Only the RFC 850 form has a two-digit year.
  const thisYear = new Date(now).getUTCFullYear();
  const inCentury = thisYear - (thisYear % 100) + Number(year);
  const century = inCentury > thisYear + 50 ? -100 : 0;
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  if (Number(day) < 1 || Number(day) > 31 || hours > 23 || minutes > 59 || seconds > 60)
    return null;
  const fullYear = year.length === 2 ? inCentury + century : Number(year);
  return Date.UTC(fullYear, monthOf(name), Number(day), hours, minutes, seconds);
}

/** Zones that Chromium knows, minutes behind UTC. Any other name is treated as UTC. */
const zones: Readonly<Record<string, number>> = {
  pst: 480,
  pdt: 420,
  mst: 420,
  mdt: 360,
  cst: 360,
  cdt: 300,
  est: 300,
  edt: 240,
  ast: 240,
  nst: 210,
  bst: -60,
  met: -60,
  eet: -120,
  jst: -540,
};

/**
 * A date as Chromium parses it in a header field (Netscape's NSPR), ms since the epoch; null when it finds none. It
 * needs a day, a month and a year, in almost any order and punctuation. A time beyond 23:59:59 carries over to the next
 * day.
 */
export function chromiumDate(text: string | null): number | null {
  const words = (text ?? '').toLowerCase().match(/[^\s,;/()[\]-]+/g) ?? [];
  const date = words.some((word) => monthOf(word) >= 0) ? namedDate(words) : numericDate(text);
  if (!date) return null;
  const clock = words.map((word) => /(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?/.exec(word)).find(Boolean);
  const [hours = 0, minutes = 0, seconds = 0] = (clock?.slice(1) ?? []).map((part) =>
    Number(part ?? 0),
  );
  const { year, month, day } = date;
  return Date.UTC(year, month, day, hours, minutes, seconds) + zoneMs(text ?? '', words);
}

interface CalendarDate {
  year: number;
  /** 0 to 11. */
  month: number;
  day: number;
}

/** The first small number is the day, the next number is the year. */
function namedDate(words: readonly string[]): CalendarDate | null {
  let day: number | null = null;
  let year: number | null = null;
  for (const word of words) {
    const [digits] = /^\d{1,4}(?![\d:a-z])/.exec(word) ?? [];
    if (digits === undefined) continue;
    const number = Number(digits);
    if (day === null && digits.length <= 2 && number < 32) day = number;
    else if (digits.length !== 3) year ??= fullYear(number);
  }
  const month = words.map(monthOf).find((index) => index >= 0);
  return month === undefined || day === null || year === null ? null : { year, month, day };
}

/**
 * The year comes first if the first number is too large for a day. Otherwise the day comes first if it is too large for
 * a month, else the month.
 */
function numericDate(text: string | null): CalendarDate | null {
  const numbers = /(?<!\d)(\d+)[/-](\d+)[/-](\d+)/
    .exec(text ?? '')
    ?.slice(1)
    .map(Number);
  if (!numbers) return null;
  const [first = 0, second = 0, third = 0] = numbers;
  if (first > 31) return { year: fullYear(first), month: second - 1, day: third };
  const [month, day] = first > 12 ? [second, first] : [first, second];
  return { year: fullYear(third), month: month - 1, day };
}

function fullYear(number: number): number {
  if (number >= 100) return number;
  return number + (number < 70 ? 2000 : 1900);
}

/** Offset from local time to UTC, ms. */
function zoneMs(text: string, words: readonly string[]): number {
  const [, sign, hours, minutes] = /\s(?:gmt|utc?)?([+-])(\d{2})(\d{2})\b/i.exec(text) ?? [];
  if (sign !== undefined)
    return (sign === '+' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const zone = words.map((word) => zones[word]).find((minutes) => minutes !== undefined);
  return (zone ?? 0) * 60_000;
}

function monthOf(word: string): number {
  return months.indexOf(word.slice(0, 3).toLowerCase());
}
