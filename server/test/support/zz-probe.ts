import { startService } from "./service.ts";
await using s = await startService("pglite");
const { key } = await s.key("pro");
const show = async (name: string, r: Response) => console.log(name, r.status, (await r.text()).slice(0, 600), JSON.stringify([...r.headers]).slice(0,700));
console.log(JSON.stringify(await s.push({ title: "Orbitex Robotics raises full-year guidance", symbols: ["DEMO:OBTX"], tags: ["earnings"], source:"wire-a", published_at:"2026-03-02T14:30:00Z" },
 { title: "Weather is calm in the port", symbols: ["NASDAQ:AAPL","MSFT"], tags: ["ipo","gdp","stock","US"], external_id:"x1" },
 { title: "a\u0000b <b>x</b> \ud800 y", body:"<p>hi</p>\u0000 \udfff", tags:["\u0000"], symbols:["A\u0000B"], external_id:"q\u0000\ud800" })));
await show("list", await s.get("/v1/feeds?limit=5", key));
const r = await (await s.get("/v1/feeds?limit=5", key)).json(); console.log(JSON.stringify(r.data.map((d:any)=>[d.title,d.symbols,d.tags,d.source,d.scoring,d.published_at]),null,0));
for (const q of ["symbol=%00","symbol=%ED%A0%80","symbol=%","since=0000-01-01T00:00:00Z","since=0000-01-01T00:00:00%2B23:59","since=9999-12-31T23:59:59-23:59","since=0001-01-01T00:00:00Z","symbol="+"a".repeat(10000),"limit=-0","limit=+5","limit=1e2","cursor=%00","since=2016-12-31T23:59:60Z"]) await show(q.slice(0,60), await s.get("/v1/feeds?"+q, key));
await show("name nul", await s.admin("POST","/admin/v1/accounts",{name:"a\u0000b",plan:"pro"}));
await show("pub 0000", await s.admin("POST","/admin/v1/items",{title:"x1",published_at:"0000-01-01T00:00:00Z"}));
await show("pub 0001", await s.admin("POST","/admin/v1/items",{title:"x2",published_at:"0001-01-01T00:00:00Z"}));
await show("pub 9999", await s.admin("POST","/admin/v1/items",{title:"x3",published_at:"9999-12-31T23:59:59-23:59"}));
await show("title nul", await s.admin("POST","/admin/v1/items",{title:"\u0000"}));
await show("exp", await s.admin("POST","/admin/v1/keys",{plan:"pro",expires_at:"9999-12-31T23:59:59-23:59"}));
await show("opt", await fetch(s.url+"/v1/feeds",{method:"OPTIONS",headers:{origin:"https://a.example","access-control-request-method":"GET","access-control-request-headers":"authorization"}}));
await show("401", await fetch(s.url+"/v1/feeds",{headers:{origin:"https://a.example"}}));
await show("405", await fetch(s.url+"/v1/feeds",{method:"PUT"}));
await show("404", await fetch(s.url+"/nope"));
await show("head", await fetch(s.url+"/v1/feeds",{method:"HEAD",headers:{authorization:"Bearer "+key}}));
await show("list2", await s.get("/v1/feeds?limit=10", key));
