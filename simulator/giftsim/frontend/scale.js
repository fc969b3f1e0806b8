/* Where values, such as instants in ms, are in a strip. A scale is pieces without a gap between them, and each is linear.
   A piece may be a fold: a quiet stretch that is cut short, or where the scale changes. Outside of folds one scale holds,
   and where another begins there is a fold. */
export class Scale {
  /* Pieces are {from, to, width, fold}, in order; `fold` is {span, ratio} or nothing. */
  constructor(pieces) {
    let x = 0;
    this.pieces = pieces.map((piece) => ({ ...piece, x: (x += piece.width) - piece.width }));
    this.width = x;
  }

  get from() {
    return this.pieces[0].from;
  }

  get to() {
    return this.pieces.at(-1).to;
  }

  get folds() {
    return this.pieces.filter(({ fold }) => fold);
  }

  x(value) {
    const piece = this.pieces.find(({ to }) => value <= to) ?? this.pieces.at(-1);
    return piece.x + ((value - piece.from) / (piece.to - piece.from)) * piece.width;
  }

  value(x) {
    const piece = this.pieces.find((each) => x <= each.x + each.width) ?? this.pieces.at(-1);
    return piece.from + ((x - piece.x) / piece.width) * (piece.to - piece.from);
  }

  /* What a pixel is worth near an x: in the piece there, or if it is a fold, in the one before. */
  perPixel(x) {
    const i = Math.max(0, this.pieces.findIndex((each) => x <= each.x + each.width));
    const piece = this.pieces[i].fold ? this.pieces[i - 1] ?? this.pieces[i + 1] : this.pieces[i];
    return (piece.to - piece.from) / piece.width;
  }
}

export const even = (from, to, width) => new Scale([{ from, to, width }]);

/* The part of a scale from one value to another, on another width: all of it is magnified alike. */
export function magnified(scale, from, to, width) {
  const factor = width / (scale.x(to) - scale.x(from));
  const shown = scale.pieces.filter((piece) => piece.to > from && piece.from < to);
  return new Scale(shown.map((piece) => {
    const [begin, end] = [Math.max(piece.from, from), Math.min(piece.to, to)];
    return { ...piece, from: begin, to: end, width: (scale.x(end) - scale.x(begin)) * factor };
  }));
}
