/* The data of the page: base64 of gzip of JSON, in an element that the browser does not run. */
export const TRACE_ID = "giftsim-trace";

export async function readTrace() {
  const text = document.getElementById(TRACE_ID).textContent;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}
