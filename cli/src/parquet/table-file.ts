/** A Parquet file that grows by row groups: memory holds the rows of one group. */
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import type { ReplayedItem } from "tapewire";
import type { Table } from "./tables.ts";

/** Rows of a group: some tens of MB while it is encoded. */
const groupRows = 20_000;

export class TableFile {
  readonly path: string;
  rows = 0;
  readonly #table: Table;
  readonly #partPath: string;
  readonly #writer: ParquetWriter;
  #group: unknown[][] = [];

  /** @param folder exists; the file appears in it under its name when it is finished */
  constructor(folder: string, table: Table) {
    this.#table = table;
    this.path = pathOf(folder, table);
    this.#partPath = `${this.path}.part`;
    const schema = schemaFromColumnData({ columnData: this.#columns([]) });
    this.#writer = new ParquetWriter({ writer: fileWriter(this.#partPath), schema, createdBy: "tapewire" });
  }

  async add(version: ReplayedItem): Promise<void> {
    this.#group.push(...this.#table.rows(version));
    if (this.#group.length >= groupRows) await this.#flush();
  }

  async finish(): Promise<void> {
    await this.#flush();
    await this.#writer.finish();
    renameSync(this.#partPath, this.path);
  }

  /** Removes what is not finished. */
  drop(): void {
    rmSync(this.#partPath, { force: true });
  }

  async #flush(): Promise<void> {
    const group = this.#group;
    this.#group = [];
    this.rows += group.length;
    if (group.length > 0)
      await this.#writer.write({ columnData: this.#columns(group), rowGroupSize: group.length });
  }

  #columns(group: readonly unknown[][]) {
    return this.#table.columns.map(({ name, type, nullable }, at) => ({
      name,
      type,
      nullable,
      data: group.map((row) => row[at] ?? null),
    }));
  }
}

const pathOf = (folder: string, { name }: Table) => join(folder, `${name}.parquet`);

/** The first file that an export into the folder would replace; null: none. */
export function existingFile(folder: string, tables: readonly Table[]): string | null {
  return tables.map((table) => pathOf(folder, table)).find((path) => existsSync(path)) ?? null;
}
