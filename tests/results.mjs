/** What the npm package finds in each case, with spans as bytes, for `scripts/homes.py`; in Node and in Chromium. */

/** The results by the ids of the cases; cases with rules go to the entry that has them. */
export function results(cases, counterfoil, rules) {
  const found = ({ turn, options, text, entries }) => {
    const { cited, ran, recode, verify } = options.rules ? rules : counterfoil;
    const verified = verify(turn, options);
    return {
      verify: verified && recode(verified, turn.reply, "utf8", turn),
      ran: ran(turn),
      cited: cited(text, entries),
    };
  };
  return Object.fromEntries(cases.map((given) => [given.id, found(given)]));
}
