/** The input of a bench: bytes, and the name of their origin. */
export interface FeedFile {
  readonly name: string;
  readonly body: Buffer;
}

const words =
  "the board of Quillon Robotics raised its outlook for the third quarter after orders from shipyards and mills rose faster than planned while costs for steel and freight fell and Harlow & Pike agreed to supply sensors until 2029".split(
    " ",
  );

/** Pseudo-random numbers, the same in each run. */
function* numbers(seed: number): Generator<number> {
  let state = seed;
  while (true) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

function sentence(next: () => number, length: number): string {
  return Array.from({ length }, () => words[next() % words.length]).join(" ");
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Paragraphs with links and an image, as in blogs' content:encoded. */
function markup(next: () => number, paragraphs: number): string {
  return Array.from({ length: paragraphs }, (_, index) => {
    const text = escaped(sentence(next, 40 + (next() % 40)));
    const image = index % 3 === 1 ? `<img src="https://pics.example/${next()}.jpg" alt="a plant" />` : "";
    return `<p class="story">${text}, <a href="https://pages.example/${next()}">${escaped(sentence(next, 4))}</a>&#8217;s &ldquo;plan&rdquo;.</p>\n${image}`;
  }).join("\n");
}

function rss(next: () => number, items: number, paragraphs: number): string {
  const entries = Array.from({ length: items }, () => {
    const at = new Date(Date.UTC(2026, 2, 1) + (next() % 2_000_000) * 1000).toUTCString();
    const page = `https://www.wire.example/news/${next()}/story.html?utm_source=rss`;
    const content =
      paragraphs > 1
        ? `<content:encoded><![CDATA[${markup(next, paragraphs)}]]></content:encoded><dc:creator>A. Writer</dc:creator>`
        : "";
    return `<item><title>${escaped(sentence(next, 10))}</title><link>${page}</link><guid isPermaLink="false">W-${next()}</guid><pubDate>${at}</pubDate><category>Markets</category><description>${escaped(markup(next, 1))}</description>${content}</item>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Wire</title><link>https://www.wire.example/</link><language>en-us</language><ttl>5</ttl>\n${entries.join("\n")}\n</channel></rss>\n`;
}

function atom(next: () => number, items: number, paragraphs: number): string {
  const entries = Array.from({ length: items }, () => {
    const at = new Date(Date.UTC(2026, 2, 1) + (next() % 2_000_000) * 1000).toISOString();
    return `<entry><id>tag:desk.example,2026:${next()}</id><title type="html">${escaped(sentence(next, 10))}</title><link rel="alternate" href="https://desk.example/${next()}"/><published>${at}</published><updated>${at}</updated><category term="desk"/><content type="html">${escaped(markup(next, paragraphs))}</content></entry>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title>Desk</title><id>tag:desk.example,2026:feed</id>\n${entries.join("\n")}\n</feed>\n`;
}

/** Feeds of invented publishers in realistic sizes: headlines, wires, blogs with whole articles. */
export function inventedFeeds(): FeedFile[] {
  const source = numbers(7);
  const next = () => Number(source.next().value);
  const shapes = [
    ["headlines", rss, 100, 1],
    ["wire", rss, 40, 3],
    ["blog", rss, 20, 12],
    ["desk", atom, 50, 2],
    ["articles", atom, 15, 15],
  ] as const;
  return shapes.flatMap(([name, make, items, paragraphs]) =>
    Array.from({ length: 4 }, (_, index) => ({
      name: `${name}-${index + 1}`,
      body: Buffer.from(make(next, items, paragraphs)),
    })),
  );
}
