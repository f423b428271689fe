/** What the npm package finds in each case, with spans as bytes, for `scripts/homes.py`; in Node and in Chromium. */

/** The results by the ids of the cases. */
export function results(cases, { cited, ran, recode, verify }) {
  const found = ({ turn, options, text, entries }) => {
    const verified = verify(turn, options);
    return {
      verify: verified && recode(verified, turn.reply, "utf8", turn),
      ran: ran(turn),
      cited: cited(text, entries),
    };
  };
  return Object.fromEntries(cases.map((given) => [given.id, found(given)]));
}
