CREATE TABLE "gateway_breakers" (
	"project_id" text NOT NULL,
	"model" text NOT NULL,
	"replica" text NOT NULL,
	"state" text NOT NULL,
	"failures" integer NOT NULL,
	"open_until" timestamp with time zone,
	"problem" text,
	"changed_at" timestamp with time zone NOT NULL,
	"reset_at" timestamp with time zone,
	"reset_by" text,
	CONSTRAINT "gateway_breakers_project_id_model_replica_pk" PRIMARY KEY("project_id","model","replica")
);
--> statement-breakpoint
CREATE TABLE "gateway_calls" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"turn_id" text,
	"route" text NOT NULL,
	"session_id" text NOT NULL,
	"dialect" text NOT NULL,
	"model" text,
	"stream" boolean NOT NULL,
	"status" integer NOT NULL,
	"verdict" text NOT NULL,
	"reason" text,
	"verification_id" text,
	"truncated" boolean NOT NULL,
	"partial" boolean NOT NULL,
	"units" integer NOT NULL,
	"counter" integer NOT NULL,
	"first_byte_ms" double precision,
	"duration_ms" double precision NOT NULL,
	"held_ms" double precision,
	"decision" text,
	"episode" jsonb,
	"integrity" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "gateway_calls_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "gateway_counters" (
	"project_id" text NOT NULL,
	"session_id" text NOT NULL,
	"replica" text NOT NULL,
	"epoch" bigint NOT NULL,
	"version" bigint NOT NULL,
	"units" bigint NOT NULL,
	"recent" jsonb NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "gateway_counters_project_id_session_id_replica_pk" PRIMARY KEY("project_id","session_id","replica")
);
--> statement-breakpoint
CREATE TABLE "gateway_rollups" (
	"project_id" text NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"route" text NOT NULL,
	"verdict" text NOT NULL,
	"reason" text NOT NULL,
	"calls" bigint NOT NULL,
	"dropped" bigint NOT NULL,
	CONSTRAINT "gateway_rollups_project_id_hour_route_verdict_reason_pk" PRIMARY KEY("project_id","hour","route","verdict","reason")
);
--> statement-breakpoint
CREATE TABLE "gateway_routes" (
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"settings" jsonb NOT NULL,
	"updated_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "gateway_routes_project_id_name_pk" PRIMARY KEY("project_id","name")
);
--> statement-breakpoint
CREATE INDEX "gateway_calls_created" ON "gateway_calls" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "gateway_calls_session" ON "gateway_calls" USING btree ("project_id","session_id","created_at");--> statement-breakpoint
CREATE INDEX "gateway_calls_decided" ON "gateway_calls" USING btree ("project_id","decision","created_at");--> statement-breakpoint
CREATE INDEX "gateway_counters_changed" ON "gateway_counters" USING btree ("changed_at");